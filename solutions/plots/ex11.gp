# Rate against n, and bank conflicts against n, from the recorded sweep and counters.
# In the folder solutions: gnuplot plots/ex11.gp
file = "timings/h200/ex11_sweep.csv"
# n and fraction of the copy rate of one variant's rows:
curve(variant) = sprintf("< awk -F, '$2 == \"%s\" {sub(/n=/, \"\", $14); print $14, $11}' %s", variant, file)
# layout and its passes through shared memory, in thousands, on the H200 and on the emulated device:
passes(n) = sprintf('< sed "s/.shared, \([^,]*\)\",/\1,/; s/shared memory/straight/" timings/h200/ex11_conflicts.csv | grep "n=%d " | sed "s/[^,]*,\([^,]*\),.*passes_h200=\([0-9]*\) .*passes_emulated=\([0-9]*\).*/\"\1\" \2 \3/"', n)

set encoding utf8
set terminal svg size 800,480 background "white"
set termoption noenhanced
set grid
set style data linespoints
set pointsize 0.5
set xlabel "n"
set xtics 4
set xrange [0:33]

set output "plots/ex11_rate.svg"
set title "Products of n x n matrices on an H200: rate, a device-to-device copy being 1"
set ylabel "fraction of the copy rate"
set yrange [0:1.35]
set key top center maxrows 3
plot curve("rows of A as float4") linecolor "black" linewidth 2 title "rows of A as float4", \
     curve("column of B in registers") title "column of B in registers", \
     curve("several matrices per block") title "several matrices per block", \
     curve("shared memory") title "shared memory", \
     curve("cublasSgemmStridedBatched") dashtype 2 linecolor "red" title "cublasSgemmStridedBatched"

set output "plots/ex11_conflicts.svg"
set terminal svg size 1000,480 background "white"
set multiplot layout 1, 2 margins 0.08, 0.96, 0.24, 0.84 spacing 0.09 title "Passes through shared memory, in thousands, for 1000 products"
set style data histograms
set style histogram clustered
set style fill solid 0.7
set xlabel ""
set ylabel "passes / 1000"
set autoscale x
set autoscale y
set yrange [0:*]
set xtics 1 rotate by -30
set key top right
do for [n in "16 32"] {
    set title "n = " . n
    plot passes(int(n)) using 2:xtic(1) linecolor "#0072B2" title "H200", "" using 3 linecolor "#D55E00" title "emulated device"
}
unset multiplot
