#!/bin/sh
# Pictures of the four states, light and dark, from the real program: take_pictures.sh PROGRAM FOLDER [MODULE.py] [STATE...]
set -eu
program=$1
folder=$2
module=${3:-}
shift; shift; [ $# -eq 0 ] || shift
mkdir -p "$folder"
for state in ${*:-empty working failed filled}; do
    for theme in light dark; do
        profile=$(mktemp -d)
        file=$folder/author-$state-$theme.png
        # An empty window has no module.
        given=$module; [ "$state" != empty ] || given=
        QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} "$program" --profile "$profile" --screenshot "$file" \
            --state "$state" --theme "$theme" ${given:+"$given"}
        rm -rf "$profile"
        echo "$file"
    done
done
