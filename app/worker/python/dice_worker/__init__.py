"""The Python side of dice-worker: runs one module inside the box and answers with plain values.

The C++ program embeds the interpreter, owns the pipe and calls these modules; nothing here reads or writes a
frame, knows a tolerance, a seed's origin or a verdict. Every module is usable alone:

    normalise   canonical form of a pasted module, first look at bad input (never imports torch)
    task        executes a module, constructs its model, calls it
    cpudevice   lets code that names CUDA run on the CPU
    loadinline  intercepts torch.utils.cpp_extension
    values      call values <-> a JSON tree and raw bytes
    observe     what a candidate did besides answering
    weights     re-randomised weights, near-duplicate inputs
    scaling     smaller sizes for tasks too big for the CPU
    audit       does the task depend on its inputs and weights

Names are lowerCamel as in the rest of the project.
"""
