# history.sh EX20_CPU FOLDER: what --history writes. In the long run each residual falls as the
# column beside it predicts, Chebyshev's fastest; a method that cannot solve the system leaves its
# columns empty.
program=$1 matrices=$2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*"; exit 1; }

# history OPTION...
history() {
    "$program" "$@" --history "$folder/h.csv" >"$folder/output" 2>&1 ||
        { cat "$folder/output"; exit 1; }
    [ "$(head -1 "$folder/h.csv")" = \
        "step,residual,predicted,jacobi,jacobi_predicted,chebyshev,chebyshev_predicted" ] ||
        fail "columns: $(head -1 "$folder/h.csv")"
}

# slopes WITHIN PLAIN JACOBI CHEBYSHEV: of residuals and predictions, from the middle of the steps
# of each method on, are these factors, up to this part of what is missing to 1.
slopes() {
    awk -F, -v within="$1" -v want="$2 $3 $4" '
        NR > 1 { for (c = 2; c <= 7; c++) if ($c != "") { value[c, $1] = $c; last[c] = $1 } }
        END {
            split(want, wanted, " ")
            for (c = 2; c <= 7; c++) {
                end = last[c]; middle = int(end / 2)
                slope = (value[c, end] / value[c, middle]) ^ (1 / (end - middle))
                factor = wanted[int(c / 2)]
                if (slope < factor - within * (1 - factor) ||
                    slope > factor + within * (1 - factor)) {
                    printf "column %d, steps %d to %d: a factor of %.5f a step, not %.5f\n",
                        c, middle, end, slope, factor
                    bad = 1
                }
            }
            exit bad
        }' "$folder/h.csv" || exit 1
}

# cos(pi / 17), and (1 - sin(pi / 17)) / cos(pi / 17)
history --matrix poisson --size 16 --alpha -0.5 --max-steps 2000 --tolerance 1e-6
slopes 0.05 0.98297 0.98297 0.83115
history --size 500 --seed 3 --tolerance 1e-6
slopes 0.1 0.6 0.5 0.6469

history --matrix "$matrices/poisson20.mtx" --max-steps 9
awk -F, 'NR > 1 && ($4 == "" || $6 != "" || $7 != "") {
        print "not one of Jacobi only: " $0; bad = 1
    }
    END { exit bad }' "$folder/h.csv"
