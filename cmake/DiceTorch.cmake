# LibTorch from the torch wheel of the virtual environment that packaging/ makes. find_package(Torch) is not
# used: it insists on a CUDA toolkit, which users do not have. The wheel brings headers and libraries for both.
set(DICE_PYTHON "" CACHE FILEPATH "python of the environment that holds torch (packaging/ sets it)")
if(NOT DICE_PYTHON)
    find_program(DICE_PYTHON_FOUND python3 REQUIRED)
    set(DICE_PYTHON ${DICE_PYTHON_FOUND})
endif()
execute_process(
    COMMAND ${DICE_PYTHON} -c "import sysconfig, importlib.util, os; s = importlib.util.find_spec('torch'); \
print(';'.join([os.path.dirname(s.origin), sysconfig.get_path('include'), sysconfig.get_config_var('LIBDIR') or '', \
sysconfig.get_config_var('LDLIBRARY') or '', sysconfig.get_config_var('VERSION')]))"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${DICE_PYTHON} has no torch: run packaging/run.sh, or pass -DDICE_PYTHON=<python with torch==2.11.0>, or -DDICE_WITH_TORCH=OFF")
endif()
list(GET found 0 torch_root)
list(GET found 1 python_include)
list(GET found 2 python_libdir)
list(GET found 3 python_ldlibrary)
list(GET found 4 python_version)
file(GLOB nvidia_cu ${torch_root}/../nvidia/cu13)
set(DICE_TORCH_ROOT ${torch_root})
set(DICE_NVIDIA_ROOT ${nvidia_cu})

add_library(dice_torch INTERFACE)
target_include_directories(dice_torch SYSTEM INTERFACE
    ${torch_root}/include ${torch_root}/include/torch/csrc/api/include ${nvidia_cu}/include)
target_link_options(dice_torch INTERFACE -Wl,--no-as-needed)
target_link_directories(dice_torch INTERFACE ${torch_root}/lib)
target_link_libraries(dice_torch INTERFACE torch torch_cpu torch_cuda c10 c10_cuda)
target_compile_definitions(dice_torch INTERFACE QT_NO_KEYWORDS)
list(APPEND CMAKE_BUILD_RPATH ${torch_root}/lib ${nvidia_cu}/lib)

add_library(dice_python INTERFACE)
target_include_directories(dice_python SYSTEM INTERFACE ${python_include})
find_library(DICE_LIBPYTHON NAMES python${python_version} HINTS ${python_libdir} REQUIRED)
target_link_libraries(dice_python INTERFACE ${DICE_LIBPYTHON})

# The Torch headers cost 9 s a file: every Torch library shares one precompiled header.
# The small object library exists to own it; link dice_torch_pch and call dice_use_torch_pch(target).
file(WRITE ${CMAKE_BINARY_DIR}/torch_pch.cpp "#include <torch/torch.h>\n")
add_library(dice_torch_pch OBJECT ${CMAKE_BINARY_DIR}/torch_pch.cpp)
target_link_libraries(dice_torch_pch PUBLIC dice_torch)
target_precompile_headers(dice_torch_pch PRIVATE <torch/torch.h>)
function(dice_use_torch_pch target)
    target_precompile_headers(${target} REUSE_FROM dice_torch_pch)
    target_link_libraries(${target} PRIVATE dice_torch)
endfunction()
