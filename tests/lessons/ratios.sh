# ratios.sh SOURCE LIST: the ratios that the texts state of recorded rates are those of the
# recordings (ratios.txt).
cd "$1" || exit 2
list=$2 bad=0 count=0
complain() { echo "$*"; bad=1; }

# rate CSV ROW PARAMETERS SIZE: operations per second.
rate() {
    awk -v row="$2" -v parameters="$3" -v size="$4" '
        function field(   i, text) {
            if (substr(line, 1, 1) == "\"") {
                i = index(substr(line, 2), "\""); text = substr(line, 2, i - 1); i += 2
            } else {
                i = index(line, ","); if (i == 0) i = length(line) + 1
                text = substr(line, 1, i - 1)
            }
            line = substr(line, i + 1)
            return text
        }
        FNR == 1 { line = $0; for (i = 1; line != ""; i++) column[field()] = i; next }
        { line = $0; for (i = 1; line != ""; i++) value[i] = field() }
        value[column["variant"]] == row && value[column["parameters"]] == parameters &&
        value[column["size"]] == size {
            printf "%.17g\n", value[column["flops"]] / value[column["median_s"]] }' "$1"
}

while IFS='|' read -r document recording row other parameters size words; do
    case $document in '#'* | '') continue ;; esac
    csv=solutions/timings/h200/$recording.csv count=$((count + 1))
    ratio=$(echo "$(rate "$csv" "$row" "$parameters" "$size")" \
        "$(rate "$csv" "$other" "$parameters" "$size")" |
        awk 'NF == 2 { printf "%.2f", $1 / $2 }')
    [ -n "$ratio" ] || { \
        complain "$csv has no single row of $row and of $other at $size $parameters"; continue; }
    sentence=${words%%%s*}$ratio${words#*%s}
    tr '\n' ' ' <"$document" | grep -qF -- "$sentence" ||
        complain "$document does not say '$sentence'"
done <"$list"
[ $count -gt 0 ] && [ $bad -eq 0 ]
