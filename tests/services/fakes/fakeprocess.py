"""Stands in for an engine or a judge: speaks their frames, and misbehaves as its first argument says.

    well        answers every request          bytewise    the same, one byte a write
    crash       dies inside a reply            hang        says hello, answers nothing
    chatter     prints text between frames     mute        says no hello
    newer       hello of another protocol      twice       answers every request twice
    oversized   announces 2 GB                 garbage     a frame that is no JSON
    crash_once FILE   dies inside its first reply; well when FILE exists, which it makes
    deaf        like well, but ends neither on a closed input nor on SIGTERM
"""
import json
import os
import signal
import struct
import sys
import time

mode = sys.argv[1]
frames = os.fdopen(os.dup(1), "wb", buffering=0)


def send(kind, number, payload, name=None):
    message = {"type": kind, "id": number, "payload": payload}
    if name:
        message["name"] = name
    body = json.dumps(message).encode()
    frame = struct.pack("<I", len(body)) + body
    if mode == "crash" and kind == "reply":
        frames.write(frame[: len(frame) // 2])
        os._exit(3)
    if mode == "bytewise":
        for byte in frame:
            frames.write(bytes([byte]))
    else:
        frames.write(frame)


def receive():
    head = sys.stdin.buffer.read(4)
    if len(head) < 4:
        if mode == "deaf":
            time.sleep(60)
        sys.exit(0)
    return json.loads(sys.stdin.buffer.read(struct.unpack("<I", head)[0]))


MODEL = {"name": "fake", "folder": "", "architecture": "fake", "num_parameters": 1, "num_layers": 1, "hidden_size": 1,
         "vocab_size": 1, "block_length": 4, "size_bytes": 1, "dtype": "float32", "card": ""}
BUILD = {"built": True, "rung": "shim", "duration_ns": 1, "gpu_architecture": "", "gpu_proven": False, "messages": [],
         "log": ""}


def cell(position, text):
    return {"p": position, "s": 1, "t": position, "x": text, "c": 0.9, "e": 0.1, "a": []}


def verdict(word, reason, request):
    return {"word": word, "reason": reason, "line": 0, "protocol": request["protocol"], "device": request["device"],
            "tolerance": 1e-4, "build": BUILD, "trials": [], "detectors": [], "launches": [], "scaled_sizes": [],
            "warnings": [], "duration_ns": 5}


def generate(number, payload):
    decoding = payload["decoding"]
    text = "kernel %d for %s" % (decoding["seed"], payload["prompt"])
    for step in range(decoding["max_new_tokens"]):
        send("event", number, {"block": step, "step": 0, "cells": [cell(step, "x")]}, "canvas.step")
    return {"text": "```python\n" + text + "\n```", "num_prompt_tokens": 1, "num_tokens": 3, "num_forwards": 2,
            "duration_ns": 7, "stop_reason": "stop_token", "warnings": []}


def answer(number, name, payload):
    """The reply to a request, after its events."""
    if name == "prepare":
        problems = ["there is no class Model"] if "class Model" not in payload["text"] else []
        return {"normalised_text": payload["text"].strip(), "notes": [], "problems": problems}
    if name == "engine.load":
        return MODEL
    if name == "engine.generate":
        return generate(number, payload)
    if name == "verify":
        send("event", number, {"stage": "build", "verdict": verdict("harness_error", "", payload)}, "stage")
        # A kernel for an even seed is right: attempts then differ.
        even = payload["candidate"]["text"].startswith("kernel") and int(payload["candidate"]["text"].split()[1]) % 2 == 0
        return verdict("correct" if even else "incorrect", "fake", payload)
    send("event", number, {"about": name}, "note")
    return {"echo": payload}


if mode == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode == "crash_once":
    marker = sys.argv[2]
    mode = "well" if os.path.exists(marker) else "crash"
    open(marker, "w").close()
if mode == "mute":
    time.sleep(60)
if mode == "chatter":
    frames.write(b"Loading libraries, please wait...\n")
send("hello", 0, {"protocol": 99 if mode == "newer" else 1, "process": "fake", "capabilities": {"fake": True}})
print("a remark on stderr", file=sys.stderr)
greeting = receive()
assert greeting["type"] == "hello", greeting

held = []  # requests whose generation waits for its cancel
while True:
    request = receive()
    number = request["id"]
    if request["type"] == "cancel":
        if number in held:
            held.remove(number)
            send("reply", number, {"text": "half", "num_prompt_tokens": 1, "num_tokens": 1, "num_forwards": 1,
                                   "duration_ns": 1, "stop_reason": "stopped", "warnings": []})
        continue
    if mode == "hang":
        continue
    if mode == "oversized":
        frames.write(struct.pack("<I", 2 << 30))
        continue
    if mode == "garbage":
        frames.write(struct.pack("<I", 4) + b"\xff{no")
        continue
    if request["name"] == "engine.generate" and "forever" in request["payload"]["prompt"]:
        send("event", number, {"block": 0, "step": 0, "cells": [cell(0, "x")]}, "canvas.step")
        held.append(number)
        continue
    if request["name"] == "refuse":
        send("error", number, {"code": "unsupported", "message": "not here", "detail": ""})
        continue
    reply = answer(number, request["name"], request["payload"])
    for _ in range(2 if mode == "twice" else 1):
        send("reply", number, reply)
