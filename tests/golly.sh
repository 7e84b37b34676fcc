#!/usr/bin/env bash
# Compares 100 generations of two-colour soups with Golly, cell for cell. Runs where bgolly is
# installed (Debian: golly).
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v bgolly >/dev/null; then
    echo "skipped: bgolly is not installed"
    exit 0
fi
cargo build --locked --quiet
duolife=${CARGO_TARGET_DIR:-target}/debug/duolife
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
echo "$compared boards equal to bgolly after 100 generations"
