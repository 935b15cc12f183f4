# Language, warnings and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_JOB_POOLS compile=2 link=1)
set(CMAKE_JOB_POOL_COMPILE compile) # Torch headers take 1.3 GB a compiler: never more than two at once
set(CMAKE_JOB_POOL_LINK link)

find_program(DICE_CCACHE ccache)
if(DICE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # pch_defines and time_macros: precompiled headers are hashed by what went into them.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${DICE_CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    add_compile_options(-Wno-restrict) # GCC 12 warns of std::string's own operator+ when it optimises (its bug 105651)
endif()
if(DICE_SANITIZE)
    add_compile_options(-fsanitize=${DICE_SANITIZE} -fno-omit-frame-pointer -g1)
    add_link_options(-fsanitize=${DICE_SANITIZE})
endif()
