#!/usr/bin/env bash
# Brings a bare Debian 12 machine to the point where DICE Studio builds: Debian packages, the virtual environment
# with LibTorch, the compiler cache. What is there is left alone, so a second call needs neither network nor root.
# Run it for the set-up alone, or source it for the functions below. (Ubuntu 24.04: same names, not tried there.)
#   DICE_PYTHON=PYTHON        use this interpreter, which has torch==2.11.0, instead of making an environment
#   DICE_SKIP_PACKAGES=1      leave the machine's packages alone: everything is there under other names
set -euo pipefail

dice_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dice_cache=${XDG_CACHE_HOME:-$HOME/.cache}/dice-studio

# Progress and chatter go to stderr: stdout belongs to the program that is started in the end.
dice_say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
dice_fail() {
    printf 'dice: %s\n' "$*" >&2
    exit 1
}

# dice_packages [test]: installs what is missing of debian-packages.txt, the test part only when asked for.
dice_packages() {
    [[ -z ${DICE_SKIP_PACKAGES:-} ]] || return 0
    local until wanted missing
    until='^# test'
    [[ ${1:-} != test ]] || until='^$'
    wanted=$(sed -e "/$until/,\$d; s/#.*//" "$dice_root/packaging/debian-packages.txt" | xargs)
    command -v dpkg-query >/dev/null ||
        dice_fail "this is no Debian or Ubuntu machine. Install the equivalents of: $wanted. Then set DICE_SKIP_PACKAGES=1."
    # shellcheck disable=SC2086 # a list of words
    missing=$(comm -23 <(printf '%s\n' $wanted | sort) <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted \
        2>/dev/null | sed -n 's/^installed //p' | sort) | xargs)
    [[ -n $missing ]] || return 0
    local as_root=()
    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null || dice_fail "Debian packages are missing, and there is neither root nor sudo to" \
            "install them. Ask an administrator for: apt-get install $missing"
        as_root=(sudo)
        [[ -t 0 ]] || as_root=(sudo -n)
    fi
    dice_say "Debian packages: $missing"
    "${as_root[@]}" apt-get update -q >&2 </dev/null ||
        dice_fail "apt-get update failed; is this machine online? Missing: $missing"
    # shellcheck disable=SC2086
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing \
        >&2 </dev/null || dice_fail "apt-get could not install: $missing"
}

# Makes the virtual environment and exports DICE_PYTHON. It is named after the torch that it holds, so that every
# clone of the same release shares one; its stamp says which interpreter and which list of packages are inside.
dice_environment() {
    [[ -z ${DICE_PYTHON:-} ]] || return 0
    local list=$dice_root/packaging/requirements.txt
    local folder version wanted
    folder=$dice_cache/venv-torch-$(sed -n 's/^torch==//p' "$list")
    version=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    wanted="python $version, packages $(sha256sum "$list" | cut -c1-16)"
    export DICE_PYTHON=$folder/bin/python
    [[ $(cat "$folder/.dice-stamp" 2>/dev/null) != "$wanted" ]] || return 0
    mkdir -p "$dice_cache"
    exec 9>"$dice_cache/setup.lock"
    # Two clones set up at once: the second finds the work done.
    flock -n 9 || { dice_say "another set-up is running; waiting for it" && flock 9; }
    if [[ $(cat "$folder/.dice-stamp" 2>/dev/null) != "$wanted" ]]; then
        dice_say "Python environment with LibTorch in $folder (4.7 GB, one to five minutes)"
        [[ -x $folder/bin/python$version ]] || rm -rf "$folder"
        [[ -d $folder ]] || /usr/bin/python3 -m venv "$folder"
        "$DICE_PYTHON" -m pip install --no-input --disable-pip-version-check --retries 10 -r "$list" >&2 </dev/null ||
            dice_fail "pip could not fill $folder; is this machine online, with 12 GB free? Start again to go on."
        printf '%s\n' "$wanted" >"$folder/.dice-stamp"
    fi
    exec 9>&-
}

# dice_setup [test]
dice_setup() {
    dice_packages "$@"
    dice_environment
    export CCACHE_DIR=${CCACHE_DIR:-$dice_cache/ccache}
    # Paths below the root count as relative, so that presets and clones share what they compile alike.
    export CCACHE_BASEDIR=$dice_root CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-5G}
    export PATH=/usr/bin:$PATH # a pyenv or conda in front would give CMake another Python and compiler
}

# dice_configure PRESET: configures build/PRESET when it was never, or with other presets or another Python.
dice_configure() {
    local folder=$dice_root/build/$1 key
    key="$DICE_PYTHON $(sha256sum "$dice_root/CMakePresets.json" | cut -c1-16)"
    if [[ $(cat "$folder/.dice-configured" 2>/dev/null) != "$key" || ! -e $folder/build.ninja ]]; then
        dice_say "Configuring $1"
        (cd "$dice_root" && cmake --preset "$1" -DDICE_PYTHON="$DICE_PYTHON" >&2)
        printf '%s\n' "$key" >"$folder/.dice-configured"
    fi
}

# dice_build PRESET [TARGETS]: configures and builds; says nothing when there is nothing to do.
dice_build() {
    local preset=$1 folder=$dice_root/build/$1
    shift
    dice_configure "$preset"
    exec 8>"$folder/.dice-lock"
    # ninja does not guard a build folder against a second ninja.
    flock -n 8 || { dice_say "another build of $preset is running; waiting for it" && flock 8; }
    NINJA_STATUS="[$preset %f/%t %p] " ninja -C "$folder" "$@" >&2 ||
        dice_fail "the build of $preset failed; the first error above says where"
    [[ $# -gt 0 ]] || touch "$folder/.dice-built"
    exec 8>&-
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    dice_setup "$@"
    dice_say "ready; packaging/run.sh builds and starts the program"
fi
