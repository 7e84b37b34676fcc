#!/usr/bin/env bash
# The window, driven by real key and mouse events on a virtual display, against the command line.
# Needs Xvfb, xdotool and ImageMagick. Screenshots go to $SCREENSHOTS, if set.
set -euo pipefail
cd "$(dirname "$0")/.."

duolife=${DUOLIFE_BIN:-$(cargo metadata --format-version 1 --no-deps --locked |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug/duolife}
[ -x "$duolife" ] || { echo "build duolife first: $duolife is not there" >&2; exit 1; }

work=$(mktemp -d)
started=()
tidy() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap tidy EXIT
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$work} XDG_DATA_HOME=$work/data HOME=$work
unset WAYLAND_DISPLAY WAYLAND_SOCKET
die() { echo "window: $*" >&2; exit 1; }

# A display that is free, chosen by the server itself. It is not set back when its last client leaves:
# that would cut off the next one, had it connected just then.
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3>"$work/display" 2>"$work/xvfb.log" &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
[ -s "$work/display" ] || die "no virtual display: $(cat "$work/xvfb.log")"
DISPLAY=:$(cat "$work/display")
export DISPLAY

app=
window=
# Processor time of the program so far, in hundredths of a second.
ticks() { awk '{print $14 + $15}' "/proc/$app/stat"; }
# Waits until the program rests, and so has answered all that it was asked; or long enough, where it
# never rests, as with an open dialog.
settle() {
    local before
    for _ in $(seq 6); do
        before=$(ticks)
        sleep 0.4
        [ "$(ticks)" -le $((before + 5)) ] && break
    done
    return 0
}
# Opens the window with these arguments and waits for it.
open() {
    "$duolife" "$@" 2>"$work/stderr" &
    app=$!
    started+=("$app")
    for _ in $(seq 300); do
        window=$(xdotool search --onlyvisible --name '^duolife$' 2>/dev/null | tail -1 || true)
        [ -n "$window" ] && break
        kill -0 "$app" 2>/dev/null || die "it ended at once: $(cat "$work/stderr")"
        sleep 0.1
    done
    [ -n "$window" ] || die "no window came"
    xdotool windowfocus --sync "$window"
    sleep 1
    settle
}
keys() { xdotool key --delay 30 "$@"; settle; }
# Closes the window by its key and waits for the program's end.
quit() {
    xdotool key ctrl+q
    local status=0
    wait "$app" || status=$?
    [ "$status" = 0 ] || die "it ended with status $status: $(cat "$work/stderr")"
}
# Saves the board under a name, through the dialog.
save() {
    rm -f "$1"
    keys ctrl+s
    keys ctrl+a
    xdotool type --delay 15 "$1"
    settle
    keys Return
    for _ in $(seq 50); do [ -s "$1" ] && return; sleep 0.1; done
    shot failed
    die "$1 was not saved"
}
# How often a character stands in a file.
count() { tr -cd "$2" <"$1" | wc -c; }
# Opens the window for somebody who has never used it, and takes the game of that number, from 1, in
# the choice that it begins with.
choose() {
    export XDG_DATA_HOME=$work/data-$1
    open
    # One by one: the focus moves once a frame.
    for _ in $(seq "$1"); do keys Tab; done
    keys Return
}
# Opens a file through the dialog.
load() {
    keys ctrl+o
    xdotool type --delay 15 "$1"
    settle
    keys Return
}
same() { cmp -s "$1" "$2" || { diff "$1" "$2" | head -20 >&2; die "$3"; }; }
shot() { [ -z "${SCREENSHOTS:-}" ] || import -window root "$SCREENSHOTS/$1.png"; }

soup=$work/soup.txt
"$duolife" run --quiet --engine cpu --size 80x60 --seed 5 --start random --output "$soup" --generations 0
common=(--edges torus --seed 5)

echo "steps: the board is that of the command line"
open play battle "$soup" "${common[@]}"
keys s s s s s s s
save "$work/seven.txt"
"$duolife" run --quiet --engine cpu "$soup" "${common[@]}" --generations 7 --output "$work/expected.txt"
same "$work/expected.txt" "$work/seven.txt" "seven steps differ from duolife run"
shot battle

echo "an edit works on the present generation, not on a stale copy"
keys 1 Up space
save "$work/edited.txt"
changed=$({ cmp -l "$work/expected.txt" "$work/edited.txt" || true; } | wc -l)
# The cursor appears in the middle: row 31, column 41.
cell=$(sed -n '32p' "$work/edited.txt" | cut -c 41)
[ "$cell" = 1 ] || die "the cell under the cursor is $cell, not red"
[ "$changed" -le 1 ] || die "$changed cells changed instead of one"

echo "it is undone and redone; restart restores the edit"
keys ctrl+z
save "$work/undone.txt"
same "$work/expected.txt" "$work/undone.txt" "undo did not bring the board back"
keys ctrl+y s s r
save "$work/redone.txt"
same "$work/edited.txt" "$work/redone.txt" "restart after an edit is not the edit"

echo "the mouse paints, and Escape gives a stroke up"
xdotool mousemove --sync 300 300 mousedown 1 mousemove --sync 420 360
settle
shot stroke
keys Escape
xdotool mouseup 1
save "$work/escaped.txt"
same "$work/edited.txt" "$work/escaped.txt" "Escape did not give the stroke up"
xdotool mousemove --sync 300 300 mousedown 1 mousemove --sync 360 330 mousemove --sync 420 360 mouseup 1
settle
save "$work/painted.txt"
before=$(count "$work/edited.txt" 1) after=$(count "$work/painted.txt" 1)
[ "$after" -gt $((before + 4)) ] || die "a drag painted nothing ($before, then $after red cells)"

echo "minimised, tiny, and large again"
for size in "40 40" "1 1" "900 200" "1180 760"; do
    # shellcheck disable=SC2086
    xdotool windowsize "$window" $size
    settle
done
xdotool windowunmap "$window"
settle
xdotool windowmap --sync "$window"
xdotool windowfocus --sync "$window"
settle
kill -0 "$app" || die "resizing ended it: $(cat "$work/stderr")"
save "$work/resized.txt"
same "$work/painted.txt" "$work/resized.txt" "resizing the window changed the board"

echo "paused it costs next to nothing"
# The pointer rests, and nothing is due any more.
sleep 3
from=$(ticks)
sleep 5
used=$(($(ticks) - from))
# A hundred ticks a second: 2 % of five seconds are ten.
[ "$used" -le 10 ] || die "$used ticks of five seconds while nothing moved"

echo "it plays"
xdotool key p
sleep 2
keys p
shot played
save "$work/played.txt"
! cmp -s "$work/painted.txt" "$work/played.txt" || die "nothing moved in two seconds"
quit

echo "the last board comes back, paused at generation 0"
open
save "$work/again.txt"
same "$work/played.txt" "$work/again.txt" "the last board did not come back"
shot again
quit

echo "the puzzle plays by keys as its terminal does"
open play fragment --seed 1
keys r Right Down Return Down Return Right Right Right Right Right Return
shot fragment
save "$work/merged.txt"
quit
printf 'rotate right down merge down merge right 5 merge\n' >"$work/merges.txt"
"$duolife" play fragment --terminal --seed 1 --script "$work/merges.txt" >"$work/puzzle.out" 2>/dev/null
# The last field of twenty rows: blue cells are o, or X below a green one.
tail -n 20 <(grep '^ *[0-9]* *[]. o+X[]*$' "$work/puzzle.out" | grep '[.oX]') |
    sed 's/^ *[0-9]*//; s/[^.oX+]//g; y/+oX/.22/' >"$work/puzzle.rows"
sed 1d "$work/merged.txt" >"$work/merged.rows"
same "$work/puzzle.rows" "$work/merged.rows" "the field differs from that of play fragment --terminal"

echo "from the choice of games: a Life Battle"
choose 1
save "$work/first.txt"
[ "$(head -1 "$work/first.txt")" = "60 80" ] || die "the first battle has another size"
sed 1d "$work/first.txt" | tr 12 21 | rev >"$work/first.mirrored"
sed 1d "$work/first.txt" >"$work/first.rows"
same "$work/first.mirrored" "$work/first.rows" "the first battle is not mirrored"
quit

echo "from the choice of games: two-player Life ends as duolife duel does"
printf '%s\n' '10 10' .......... ..1....... ...1...... ..111..... .......... .......22. ......2..2 \
    .......22. .......... .......... >"$work/duel.txt"
"$duolife" duel "$work/duel.txt" >"$work/duel.out"
grep -q '^Player 1 Wins! with 11 live cells$' "$work/duel.out" || die "duolife duel ends in another way"
choose 2
load "$work/duel.txt"
keys s s s s s s s s s
shot duel
save "$work/nine.txt"
sed -n '/^Generation #9$/,/^Player 1 Wins/p' "$work/duel.out" | grep -x '[.12]*' | grep . >"$work/nine.rows"
sed 1d "$work/nine.txt" >"$work/nine.saved"
same "$work/nine.rows" "$work/nine.saved" "nine steps differ from duolife duel"
# It is over: nothing is computed any more.
keys s
save "$work/ten.txt"
same "$work/nine.txt" "$work/ten.txt" "two-player Life went on after its end"
quit

echo "from the choice of games: the Immigration Game, against the computer"
choose 3
# The middle of the board; its panel is on the right.
xdotool mousemove --sync 445 400 click 1
answered() { [ "$(sed 1d "$work/counters.txt" | tr -cd 12 | fold -w 1 | sort | tr -d '\n')" = 12 ]; }
for _ in $(seq 20); do
    sleep 1
    save "$work/counters.txt"
    answered && break
done
answered || die "the computer has not answered a counter"
save "$work/game.json"
awk 'NR > 1 { for (x = 1; x <= length($0); x++) { c = substr($0, x, 1)
    if (c != ".") print (c == 1 ? "red" : "blue"), x - 1, NR - 2 } }' "$work/counters.txt" |
    sort >"$work/counters"
sed -n 's/.*"player": *"\([a-z]*\)", *"x": *\([0-9]*\), *"y": *\([0-9]*\).*/\1 \2 \3/p' "$work/game.json" |
    sort >"$work/moves"
same "$work/counters" "$work/moves" "the record has other moves than the board has counters"
"$duolife" immigration "$work/game.json" --script /dev/null >"$work/immigration.out" 2>&1 ||
    die "duolife immigration does not take the record: $(tail -1 "$work/immigration.out")"
load "$work/game.json"
save "$work/reopened.txt"
same "$work/counters.txt" "$work/reopened.txt" "the record was opened as another game"
quit
open "$work/game.json"
save "$work/continued.txt"
same "$work/counters.txt" "$work/continued.txt" "duolife game.json goes on with another game"
quit

echo "from the choice of games: reZolution, painted by keys and mouse"
# A board of 40x30 cells in the form of a file that the program writes, with these rows from the 16th.
board() {
    {
        printf 'duolife populations 1\nsize 40x30\nedges dead\n'
        for _ in $(seq 15); do printf '%040d\n' 0; done
        printf '%s\n' "$@"
        for _ in $(seq $((15 - $#))); do printf '%040d\n' 0; done
    } | sed '4,$s/0/./g' >"$work/plain.rez"
    "$duolife" convert "$work/plain.rez" "$work/converted.rez"
}
dots() { printf '%0*d' "$1" 0; }
line="$(dots 18)+1+1+1-1$(dots 18)"
board "$line"
cp "$work/converted.rez" "$work/start.rez"
choose 4
load "$work/start.rez"
# The cursor appears in the middle, column 21 and row 16. The last brush finds a blue cell, which stays.
keys 1 Up Down space 2 Right space 4 Down space 5 Right space
keys Right 1 space Delete Up Up Left Left 4 space
save "$work/keyed.rez"
board "$line" "$(dots 20)+1-1$(dots 18)" "$(dots 21)#x$(dots 17)"
same "$work/converted.rez" "$work/keyed.rez" "the keys painted something else"
xdotool mousemove --sync 200 200 mousedown 1 mousemove --sync 320 260
settle
keys Escape
xdotool mouseup 1
save "$work/given.rez"
same "$work/keyed.rez" "$work/given.rez" "Escape did not give the stroke up"
xdotool mousemove --sync 200 200 mousedown 1 mousemove --sync 260 230 mousemove --sync 320 260 mouseup 1
settle
save "$work/walled.rez"
walls() { sed '/^;/d' "$1" | tr -cd '#' | wc -c; }
[ "$(walls "$work/walled.rez")" -gt $(($(walls "$work/keyed.rez") + 4)) ] || die "a drag made no barriers"
keys s s s s s s s
shot rezolution
save "$work/seven.rez"
"$duolife" run --quiet --engine cpu "$work/walled.rez" --generations 7 --output "$work/expected.rez"
same "$work/expected.rez" "$work/seven.rez" "seven steps differ from duolife run --rule rezolution"
keys r
save "$work/back.rez"
same "$work/walled.rez" "$work/back.rez" "restart did not bring the painted board back"
keys ctrl+z
save "$work/undone.rez"
same "$work/keyed.rez" "$work/undone.rez" "undo did not take the barriers away"
quit
open
save "$work/again.rez"
same "$work/keyed.rez" "$work/again.rez" "the last board of reZolution did not come back"
quit
"$duolife" run --quiet --engine cpu --rule rezolution --size 60x40 --seed 3 --generations 0 \
    --output "$work/demo.rez"
open "$work/demo.rez"
save "$work/opened.rez"
same "$work/demo.rez" "$work/opened.rez" "duolife FILE did not open the board of reZolution"
keys s s s s s s s s s s s s
save "$work/twelve.rez"
"$duolife" run --quiet --engine cpu "$work/demo.rez" --generations 12 --output "$work/expected.rez"
same "$work/expected.rez" "$work/twelve.rez" "twelve steps of a demo differ from duolife run"
shot demo
quit

echo "from the choice of games: the puzzle"
choose 5
save "$work/field.txt"
[ "$(sed 1d "$work/field.txt" | tr -cd 2 | wc -c)" = 60 ] || die "the field of the puzzle has not 60 blue cells"
quit

echo "ok"
