#!/usr/bin/env bash
# Sets the machine up, builds the release and opens the window; with no display the same job runs in the terminal.
# Usage: packaging/run.sh [MODULE.py]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

[[ $# -le 1 ]] || { echo "usage: packaging/run.sh [MODULE.py]" >&2; exit 2; }
[[ $# -eq 0 || -f $1 ]] || { echo "dice: there is no file $1; give the path of a PyTorch module" >&2; exit 2; }

dice_setup
dice_build release
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    exec "$dice_root/build/release/bin/dice-studio" "$@"
fi
examples=("$dice_root"/resources/examples/*.py)
module=${1:-${examples[0]}}
dice_say "There is no display (DISPLAY and WAYLAND_DISPLAY are empty), so the job runs here: dice generate $module"
exec "$dice_root/build/release/bin/dice" generate "$module"
