# plots.sh SOURCE FOLDER: gnuplot draws every plot of the solutions' pages from the recorded timings
# without a word: a curve whose variant is not recorded any more would be missed. Each has a title
# with the device, and says where an axis is logarithmic or does not begin at 0.
. "$(dirname "$0")/functions.sh"
source=$1 folder=$2
command -v gnuplot >/dev/null 2>&1 ||
    { echo "SKIPPED: no gnuplot here: install gnuplot-nox"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" &&
    cp -r "$source/solutions/plots" "$source/solutions/timings" "$folder/" && cd "$folder" || exit 2
rm -f plots/*.svg
# draws SCRIPT: what gnuplot says.
draws() { gnuplot "$1" 2>&1; }
for script in plots/ex*.gp; do
    grep -q "load 'plots/common.gp'" "$script" || continue
    said=$(draws "$script")
    [ -z "$said" ] || fail "$script: $said"
    for plot in $(sed -n "s/^set output plots \. ['\"]\(.*\)['\"]/\1/p" "$script"); do
        [ -s "plots/$plot" ] || fail "$script draws no $plot"
        grep -q 'NVIDIA H200' "plots/$plot" || fail "$plot does not name its device"
        [ -z "$(grep -l -i 'f0e442' "plots/$plot")" ] || fail "$plot is yellow on white"
    done
    ! grep -q 'logscale' "$script" || grep -q "label '.*log" "$script" ||
        fail "$script does not say that an axis is logarithmic"
done
# A curve that is not recorded is found.
sed "s/'stride', '.')/'strides', '.')/" plots/ex04.gp >plots/gone.gp
draws plots/gone.gp | grep -q . || fail "a curve without data was not found"
echo "all plots are drawn"
