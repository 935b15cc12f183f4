#!/usr/bin/env bash
# Sets the machine up, builds and runs tests. Usage: packaging/test.sh [PART...]      (without a part: dev)
#   dev        everything, with assertions; all tests but the slow ones, the architecture test among them
#   slow       the slow tests of the dev build: every shared case with a known verdict (by hand, half an hour)
#   asan       address and undefined-behaviour sanitizers on what reads foreign bytes or juggles processes (by hand)
#   gui-only   without LibTorch: builds, unit tests
#   core-only  without Qt in any library or program: builds, unit tests
#   lint       shellcheck, and clang-tidy on the files changed since DICE_LINT_BASE (default: the merge
#              base with the main branch, else the last commit)
#   tsan       thread sanitizer on ipc and services (by hand)
#   tidy       clang-tidy on every file (by hand, an hour)
#   all        dev, gui-only, core-only, lint: what continuous integration runs
# A part that fails does not keep the others from running; the last lines say which failed.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# Leaks are not looked for: LibTorch, Python and Qt keep what they allocate once.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:${UBSAN_OPTIONS:-}
export TSAN_OPTIONS=halt_on_error=1:${TSAN_OPTIONS:-}
export QT_QPA_PLATFORM=offscreen
export QTEST_DISABLE_STACK_DUMP=1 # it waits for gdb, which takes minutes

# run_tests PRESET [CTEST ARGUMENTS]
run_tests() {
    local preset=$1
    shift
    ctest --test-dir "$dice_root/build/$preset" --output-on-failure --timeout 600 -j "$(nproc)" "$@"
}

changed_files() {
    local base
    base=${DICE_LINT_BASE:-$(git -C "$dice_root" merge-base HEAD origin/HEAD 2>/dev/null ||
        git -C "$dice_root" merge-base HEAD origin/main 2>/dev/null || true)}
    if [[ -z $base || $base == $(git -C "$dice_root" rev-parse HEAD) ]]; then
        # Without a parent (a shallow clone) nothing is known to have changed: the part tidy looks at every file.
        base=$(git -C "$dice_root" rev-parse -q --verify HEAD~1 || echo HEAD)
    fi
    git -C "$dice_root" diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.h'
}

part_dev() { dice_build dev && run_tests dev -LE slow; }
part_slow() { dice_build dev && run_tests dev -L slow; }
part_gui-only() { dice_build gui-only && run_tests gui-only -L unit -LE slow; }
part_core-only() { dice_build core-only && run_tests core-only -L unit -LE slow; }
part_tsan() { dice_build tsan test_ipc test_services && run_tests tsan -R '^test_(ipc|services)$'; }
part_tidy() { dice_build tidy; }

# Torch's own libraries are not instrumented and its headers are slow to instrument: the sanitizers get the targets
# that read foreign bytes or juggle processes.
asan_tests='^(test_(data|ipc|store|formats|services|cli|build_(planning|log|cache)|comparison|value|workerclient))$'
part_asan() {
    local tests
    dice_configure asan
    tests=$(ctest --test-dir "$dice_root/build/asan" -N -R "$asan_tests" | sed -n 's/.*Test *#[0-9]*: //p')
    # shellcheck disable=SC2086 # a list of names
    dice_build asan $tests dice
    run_tests asan -R "$asan_tests"
}

part_lint() {
    local files sources
    shellcheck -x "$dice_root"/packaging/*.sh "$dice_root/packaging/dice" "$dice_root/.ci/run"
    files=$(changed_files)
    [[ -n $files ]] || return 0
    cd "$dice_root"
    dice_configure dev
    # clang-tidy cannot read GCC's precompiled headers.
    mkdir -p build/lint
    sed 's/ -Winvalid-pch//g; s/ -include [^ ]*cmake_pch.hxx//g' build/dev/compile_commands.json \
        >build/lint/compile_commands.json
    sources=$(grep '\.cpp$' <<<"$files" | while read -r file; do
        grep -qF "/$file\"" build/lint/compile_commands.json && echo "$file"
    done || true)
    dice_say "clang-tidy on $(wc -w <<<"$sources") files"
    xargs -r -n 1 -P "$(nproc)" clang-tidy -p build/lint --quiet <<<"$sources"
}

# Everything that a part prints stays in order with its closing lines.
exec 2>&1

parts=("${@:-dev}")
[[ ${parts[*]} != all ]] || parts=(dev gui-only core-only lint)
for part in "${parts[@]}"; do
    declare -F "part_$part" >/dev/null || { dice_say "there is no part '$part'; see the head of this file"; exit 2; }
done
dice_setup test
failed=()
for part in "${parts[@]}"; do
    started=$SECONDS
    dice_say "$part"
    # A subshell of its own: 'set -e' does not hold inside a function whose status is asked for.
    set +e
    (set -e; "part_$part")
    status=$?
    set -e
    [[ $status == 0 ]] || failed+=("$part")
    dice_say "$part: $([[ $status == 0 ]] && echo passed || echo FAILED), $((SECONDS - started)) s"
done
if [[ ${#failed[@]} -gt 0 ]]; then
    dice_say "FAILED: ${failed[*]}"
    exit 1
fi
dice_say "all passed: ${parts[*]}"
