# report.sh COURSE FOLDER: the page of results, and files that hold no results.
source=$(CDPATH='' cd -- "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/prelude.sh"
mkdir -p runner/view solutions/timings/a100 data && cp "$source/runner/view/report.css" runner/view/
run='r,2026-11-21T00:00:00Z,node,abc,gcc,CPU B,1,8,8,580,CUDA 13.0,132,2e9,3e9,1,6e7,700'
# row EXERCISE VARIANT SECONDS FRACTION SIZE PARAMETERS [PLACE [VERDICT]]
row() {
    echo "$1,$2,GPU A,$5,${8:-PASS},$3,$3,8000000,,4e12,$4,0.5,0,$6,${7:-device},$3,5,,$run"
}
results() { { echo "$columns"; cat; } >"$1"; }
has() { grep -qF -- "$1" page.html || fail "'$1' is not on the page"; }
hasnt() { grep -qF -- "$1" page.html && fail "'$1' is on the page"; }

# A table: bars, the CPU, text that looks like HTML, a row that is wrong.
{
    row ex77_made_up "all cores" 4e-3 0.5 1000 "" cpu
    row ex77_made_up "a <b> & ""c""" 2e-3 0.50 1000 ""
    row ex77_made_up "too fast" 1e-3 5.0 1000 ""
    row ex77_made_up broken "" "" 1000 "" device WRONG
} | sed 's/a <b> & c/"a <b> \& ""c"""/' | results data/ex77.csv
expect 0 "Report: page.html (4 rows)" "$course" report -o page.html data
has '<title>CUDA C course: GPU A</title>'
has '<th scope="row">a &lt;b&gt; &amp; &quot;c&quot;</th>'
hasnt '<b>'
has '<span style="--f:0.400"></span>0.50</td>'
has '<span style="--f:1.000"></span>5.00</td>'
has '<td class="verdict">WRONG</td>'
has '<td class="number">2</td></tr>'
has '<dd>4000 GB/s</dd>'
has '<dt>power limit</dt><dd>700 W</dd>'
has '<dd>CPU B, 8 cores, 8 threads used</dd>'
hasnt '<figure>'
has 'not measured here'
grep -iE 'https?:|src=|@import|<script' page.html &&
    fail "the page needs a network, or runs a program"
[ "$(grep -o '<section' page.html | wc -l)" -eq "$(grep -o '</section>' page.html | wc -l)" ] ||
    fail "sections"

# A sweep: a plot with its axes, the copy rate and a curve for each value of what else varies; those
# without the parameter have a plot of their own if they are a sweep of another.
for block in 32 64; do
    for grid in 1 10 100 1000
    do row ex77_made_up loop 1e-3 0.1 1000 "block=$block grid=$grid"; done
done | results data/ex77_sweep.csv
expect 0 "" "$course" report -o page.html data
has '<figcaption>ex77_sweep: rate over blocks in the grid, GPU A</figcaption>'
has '>blocks in the grid (log)</text>'
has '>GB/s</text>'
has 'loop, block 32</li>'
has 'loop, block 64</li>'
has 'limit, 4000 GB/s, above the plot</li>'
hasnt 'class="limit" d="M66'
[ "$(grep -o '<figure>' page.html | wc -l)" -eq 1 ] || fail "one plot: two blocks are no sweep"
# Without bytes the time; logarithmic where it spans much.
for blocks in 1 2 3 4; do row ex77_made_up barrier 1e-$blocks "" 1000 "blocks=$blocks"; done |
    sed 's/,8000000,/,,/' | results data/ex77_sweep.csv
expect 0 "" "$course" report -o page.html data
has '<figcaption>ex77_sweep: time over blocks, GPU A</figcaption>'
has '>µs (log)</text>'
hasnt 'class="limit"'
# More than eight curves make a second plot.
for block in 1 2 3 4 5 6 7 8 9; do
    for grid in 1 2 3 4 5 6 7 8 9 10
    do row ex77_made_up loop 1e-3 0.1 1000 "block=$block grid=$grid"; done
done | results data/ex77_sweep.csv
expect 0 "" "$course" report -o page.html data
[ "$(grep -o '<figure>' page.html | wc -l)" -eq 2 ] || fail "nine curves are two plots"

# The heat equation: where the GPU overtakes the CPU, with copies and without.
for size in 1000 2000 4000; do
    row ex05_diffusion1d "one core" ${size}e-6 "" $size "" cpu
    row ex05_diffusion1d "all cores" ${size}e-7 "" $size "" cpu
    row ex05_diffusion1d "kernel" 1.5e-4 0.3 $size "" | sed 's/,0.5,0,,device/,3e-4,0,,device/'
    row ex05_diffusion1d "no heat equation" 1e-9 0.3 $size "" library
done | results data/ex05_sizes.csv
expect 0 "" "$course" report -o page.html data
has 'Without copies, the GPU is faster than all cores from 2000 points on.'
has 'there and back, the GPU is faster than all cores from 4000 points on.'
sed -i 's/3e-4/9/' data/ex05_sizes.csv
expect 0 "" "$course" report -o page.html data
has 'there and back, the GPU is faster than all cores at none of these sizes.'
# Launches and their fit.
for blocks in 1 100 10000
do row device "launch: back to back" \
    "$(echo $blocks | awk '{printf "%.12g", 3.2e-6 + 4.8e-9 * $1}')" "" $blocks \
    "blocks=$blocks"; done |
    sed 's/,8000000,/,,/' | results data/device.csv
echo "compute capability: 9.0" >data/device.txt
expect 0 "" "$course" report -o page.html data
has 'back to back: 3.20 µs + 4.8 ns per block, within 0 %'
has 'compute capability: 9.0'

# The differences.
sed 's/,0.50,/,0.90,/' data/ex77.csv >solutions/timings/a100/ex77.csv
expect 0 "" "$course" report -o page.html data
has '<td class="number">0.900</td><td class="number">0.500</td>'\
'<td class="number slow">-44.4 %</td><td class="slow">slower</td>'
compared="rows compare, by their fraction of the limit or else by their time"
has "2 $compared; 1 differ"
expect 2 "--compare b200: there is no such file" "$course" report --compare b200 data
cp data/ex77.csv whole.csv
sed -i "s/,2e-3,2e-3,/,1e-5,1e-5,/" data/ex77.csv
expect 0 "" "$course" report -o page.html data
has "1 $compared; 0 differ by more than 5 % (beside 1 of less than 20 us"
mv whole.csv data/ex77.csv

# The counters of the emulated device, where there are no times.
mkdir counted
counters="requests=12 sectors_per_request=4.5 bytes_used=0.5 bank_conflict=0"
row ex77_made_up loop "" "" 1000 "" |
    sed "s|device,,5,,r|device,,,$counters,r|" | results counted/ex77.csv
expect 0 "" "$course" report -o page.html counted
has '<td class="number">12</td><td class="number">4.5</td>'\
'<td class="number">50 %</td><td class="number"></td>'
has "there are no times of a GPU to compare"

# Files without results are named and the rest is shown; without any results the old page stays.
echo rubbish >data/ex78.csv
: >data/ex79.csv
expect 0 "left out: data/ex78.csv does not hold results" "$course" report -o page.html data
grep -q 'left out: data/ex79.csv is empty' out || fail "not named: $(cat out)"
cp page.html old.html
expect 2 "no results, no page" "$course" report -o page.html data/ex79.csv
cmp -s page.html old.html || fail "the old page stays"
expect 2 "no results, no page" "$course" report -o page.html nowhere
expect 2 "report: '--nonsense' is not understood" "$course" report --nonsense
expect 2 "-o needs a value" "$course" report -o
expect 2 "cannot write" "$course" report -o no/such/page.html data
mkfifo pipe
expect 2 "course: cannot write pipe: it is not a file" "$course" report -o pipe data
[ -p pipe ] || fail "the pipe was replaced"

{ row ex77_made_up alone 1e-3 0.5 1000 ""; } | results one.csv
expect 0 "Report: page.html (1 row)" "$course" report -o page.html one.csv

# After a bench, and without naming any results: those of the last bench.
echo 'cp data/ex77.csv "$csv"; verdict PASS; exit 0' | behave
expect 0 "Report: bench.html (4 rows)" "$course" bench ex77 --device=emulated --report bench.html
expect 0 "Report: report.html (4 rows)" "$course" report
echo "the page of results is right"
