#!/usr/bin/env bash
# Compares generations of two-colour soups with Golly, cell for cell, under a table written here and
# under tables that duolife writes. Runs where bgolly is installed (Debian: golly).
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v bgolly >/dev/null; then
    echo "skipped: bgolly is not installed"
    exit 0
fi
duolife=${DUOLIFE_BIN:-${CARGO_TARGET_DIR:-target}/debug/duolife}
[ -n "${DUOLIFE_BIN:-}" ] || cargo build --locked --quiet
duolife=$(realpath "$duolife")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# Golly's rule table for two-colour B3/S23; the first line that matches counts.
cat >"$place/Immigration.rule" <<'TABLE'
@RULE Immigration
@TABLE
n_states:3
neighborhood:Moore
symmetries:permute
var live={1,2}
var more={1,2}
var most={1,2}
var a={0,1,2}
var b={0,1,2}
var c={0,1,2}
var d={0,1,2}
var e={0,1,2}
var f={0,1,2}
var g={0,1,2}
var h={0,1,2}
0,1,1,live,0,0,0,0,0,1
0,2,2,live,0,0,0,0,0,2
1,live,more,0,0,0,0,0,0,1
1,live,more,most,0,0,0,0,0,1
2,live,more,0,0,0,0,0,0,2
2,live,more,most,0,0,0,0,0,2
live,a,b,c,d,e,f,g,h,0
TABLE

# The rows of a text grid without its empty border: bgolly writes the pattern, not its place.
crop() {
    awk 'NR > 1 {
            rows[NR] = $0
            if (match($0, /[12]/)) {
                if (!top) top = NR
                bottom = NR
                if (!left || RSTART < left) left = RSTART
                match($0, /[12]\.*$/)
                if (RSTART > right) right = RSTART
            }
        }
        END { for (y = top; y <= bottom; y++) print substr(rows[y], left, right - left + 1) }' "$1"
}

compared=0
for edges in torus dead; do
    for size in 64x64 97x61 33x128 200x31; do
        seed=$((compared + 11))
        "$duolife" run --size "$size" --seed "$seed" --edges "$edges" --generations 0 \
            --engine cpu --quiet --output "$place/start.rle"
        bgolly -q -q -a RuleLoader -s "$place/" -m 100 -o "$place/golly.rle" "$place/start.rle" \
            >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
        "$duolife" convert "$place/golly.rle" "$place/golly.txt" --quiet
        crop "$place/golly.txt" >"$place/golly.rows"
        for engine in cpu gpu; do
            [ "$engine" = gpu ] && [ "${DUOLIFE_NO_GPU:-}" = 1 ] && continue
            "$duolife" run "$place/start.rle" --generations 100 --engine "$engine" --quiet \
                --output "$place/ours.txt"
            crop "$place/ours.txt" >"$place/ours.rows"
            if ! cmp "$place/golly.rows" "$place/ours.rows"; then
                echo "$engine differs from bgolly: $size, $edges, seed $seed"
                exit 1
            fi
            # A comparison of empty boards would prove nothing.
            [ "$(tr -cd 12 <"$place/ours.rows" | wc -c)" -gt 50 ]
            compared=$((compared + 1))
        done
    done
done
# Rules whose tables the program writes itself.
for rule_ties in B36/S23,red B36/S23,blue B357/S1358,seeded B3678/S34678,blue B2/S,red B45678/S2345,red; do
    rule=${rule_ties%,*} ties=${rule_ties#*,}
    (cd "$place" && "$duolife" rule-file "$rule" --ties "$ties" 2>/dev/null)
    name=$(basename "$(ls -t "$place"/Immigration-*.rule | head -n 1)" .rule)
    "$duolife" run --size 61x44 --seed "$compared" --density 0.4 --edges torus --rule "$rule" \
        --generations 0 --engine cpu --quiet --output "$place/start.rle"
    sed "s#rule = [^:]*#rule = $name#" "$place/start.rle" >"$place/named.rle"
    bgolly -q -q -a RuleLoader -s "$place/" -m 40 -o "$place/golly.rle" "$place/named.rle" \
        >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
    sed "s#rule = [^:]*#rule = $rule#" "$place/golly.rle" >"$place/renamed.rle"
    "$duolife" convert "$place/renamed.rle" "$place/golly.txt" --quiet
    crop "$place/golly.txt" >"$place/golly.rows"
    "$duolife" run "$place/start.rle" --ties "$ties" --generations 40 --engine cpu --quiet \
        --output "$place/ours.txt"
    crop "$place/ours.txt" >"$place/ours.rows"
    if ! cmp "$place/golly.rows" "$place/ours.rows"; then
        echo "$rule with ties $ties differs from bgolly"
        exit 1
    fi
    compared=$((compared + 1))
done
# What one program writes the other reads, whatever the size.
exchanged=0
for seed in $(seq 1 200); do
    size=$((1 + seed * 37 % 90))x$((1 + seed * 53 % 70))
    edges=torus
    [ $((seed % 2)) = 0 ] && edges=dead
    "$duolife" run --size "$size" --seed "$seed" --density 0.5 --edges "$edges" --generations 0 \
        --engine cpu --quiet --output "$place/start.rle"
    bgolly -q -q -a RuleLoader -s "$place/" -m 0 -o "$place/golly.rle" "$place/start.rle" \
        >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
    "$duolife" convert "$place/golly.rle" "$place/golly.txt" --quiet
    "$duolife" convert "$place/start.rle" "$place/ours.txt" --quiet
    crop "$place/golly.txt" >"$place/golly.rows"
    crop "$place/ours.txt" >"$place/ours.rows"
    if ! cmp "$place/golly.rows" "$place/ours.rows"; then
        echo "bgolly reads other cells: $size, seed $seed"
        exit 1
    fi
    exchanged=$((exchanged + 1))
done
# Games of a tournament: from the start pattern that --save-start writes, bgolly comes to the board
# whose counts and digest the results hold.
games=${DUOLIFE_GOLLY_GAMES:-30}
tournament=(tournament --random-seeds 20 --seed-size 9x7 --games "$games" --seed 4 --limit 150 --quiet)
"$duolife" "${tournament[@]}" --engine cpu --output "$place/games.csv"
played=0
while IFS=, read -r _ number _ _ _ _ _ _ width height limit rest; do
    [ "$number" = game ] && continue
    "$duolife" "${tournament[@]}" --engine cpu --replay "$number" --save-start "$place/start.rle"
    bgolly -q -q -a RuleLoader -s "$place/" -m "$limit" -o "$place/golly.rle" "$place/start.rle" \
        >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
    "$duolife" convert "$place/golly.rle" "$place/golly.txt" --quiet
    crop "$place/golly.txt" >"$place/golly.rows"
    digest=$("$duolife" run "$place/start.rle" --generations "$limit" --engine cpu --digest --json \
        --quiet --output "$place/ours.txt" | sed 's/.*"digest":"\([0-9a-f]*\)".*/\1/')
    crop "$place/ours.txt" >"$place/ours.rows"
    if ! cmp "$place/golly.rows" "$place/ours.rows" || [ "$digest" != "${rest##*,}" ]; then
        echo "game $number differs from bgolly: ${width}x$height, $limit generations"
        exit 1
    fi
    played=$((played + 1))
done <"$place/games.csv"
[ "$played" = "$games" ]
echo "$played games of a tournament equal to bgolly"
echo "$exchanged boards written and read by bgolly with the same cells"
echo "$compared boards equal to bgolly"
