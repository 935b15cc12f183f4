"""The Python side of dice-worker: runs one module inside the box and answers with plain values.

The C++ program embeds the interpreter, owns the pipe and calls these modules; nothing here reads or writes a
frame, knows a tolerance, where a seed comes from, or a verdict. Arguments and results are dicts, lists, numbers,
strings, bytes and tensors; expected failures are one exception a module, with .code, .message and .asDict().

    normalise   canonical form of a pasted module, first look at bad input (never imports torch)
                  check(source, className="Model", needsInputs=True) -> [{"code","message","line","column"}]
                  normalise(source) -> (text, notes)                              raises NormaliseError
    scaling     smaller sizes for tasks too big for the CPU
                  plan(source, maxFlops=2e8, maxElements=4e6, seconds=20.0) -> {"status","source","constants",
                       "sizes","flops","elements","reason"}
    cpudevice   code that names CUDA runs on the CPU
                  install() -> None        once, after `import torch`, before any task source
    loadinline  interception of torch.utils.cpp_extension
                  install(builder) -> Record      builder(request) -> module, or raises BuildFailed / returns
                       {"failed": {"message", "log"}};  Record.builds, Record.calls, Record.failure()
    task        executes a module, constructs its model, calls it              all raise TaskError
                  configure() -> None                                             precision, determinism
                  loadModule(source, name="task") -> module
                  setConstants(module, {"N": 3}) -> [names that are not there]
                  initInputs(module) -> list | dict;   makeInputs(module, seed) -> list
                  construct(module, className, init, seed) -> model
                  call(model, inputs) -> output                                   under no_grad
    values      call values <-> a JSON tree and raw bytes
                  pack(value, write) -> tree       write(memoryview) -> offset
                  unpack(tree, read) -> value      read(offset, nbytes) -> buffer
                  packOutput(value, write) -> (tree, observations)
    observe     what a candidate did besides answering
                  snapshot() -> Baseline (before the candidate's text);  Baseline.replaced() -> [names]
                  Observer(model, record=None);  Observer.call(inputs) -> (output, observations)
                  Observer.lateChanges() -> [observations about outputs kept from earlier calls]
    weights     re-randomised weights, near-duplicate inputs
                  randomiseWeights(module, seed) -> {"parameters", "buffers", "shapes"}
                  nearDuplicate(inputs, seed) -> (inputs, {"path","index"} | None)
    audit       does the task depend on its inputs and weights
                  audit(module, className, seed, seconds=2.0) -> [observation]

An observation is {"check", "what", "detail"}: which look found it (a word of the reliability notes: MUT, ORIGIN,
PCLOCK, SEAL, LEDGER, SWEEP), a short name, and a sentence.

Names are lowerCamel as in the rest of the project.
"""
