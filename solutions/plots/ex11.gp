# The plots of ex11.md: rate against n, and bank conflicts against n. In the folder solutions: gnuplot plots/ex11.gp
load 'plots/common.gp'
# n and fraction of the copy rate of one variant's rows:
curve(variant) = "< " . rows('ex11_sweep', variant, "sub(/n=/, \"\", $14); print $14, $11")
# layout and its passes through shared memory, in thousands, on the H200 and on the emulated device:
passes(n) = sprintf('< sed "s/.shared, \([^,]*\)\",/\1,/; s/shared memory/straight/" timings/h200/ex11_conflicts.csv | grep "n=%d " | sed "s/[^,]*,\([^,]*\),.*passes_h200=\([0-9]*\) .*passes_emulated=\([0-9]*\).*/\"\1\" \2 \3/"', n)

set xlabel "n"
set xtics 4
set xrange [0:33]

set output plots . "ex11_rate.svg"
set title 'Products of n x n matrices: rate, a device-to-device copy being 1, ' . device
set ylabel "fraction of the copy rate"
set yrange [0:1.35]
set key inside top center maxrows 3
plot curve("rows of A as float4") title "rows of A as float4", \
     curve("column of B in registers") title "column of B in registers", \
     curve("several matrices per block") title "several matrices per block", \
     curve("shared memory") title "shared memory", \
     curve("cublasSgemmStridedBatched") dashtype 2 title "cublasSgemmStridedBatched", \
     1 with lines dt 2 lc rgb 'black' title 'copy rate'

set output plots . "ex11_conflicts.svg"
set terminal svg size 1000,480 background "white"
set multiplot layout 1, 2 margins 0.08, 0.96, 0.24, 0.84 spacing 0.09 title "Passes through shared memory, in thousands, for 1000 products, " . device . " and emulated"
set style data histograms
set style histogram clustered
set style fill solid 0.7
set xlabel ""
set ylabel "passes / 1000"
set autoscale x
set autoscale y
set yrange [0:*]
set xtics 1 rotate by -30
set key inside top right
set offsets 0, 0, graph 0.15, 0
do for [n in "16 32"] {
    set title "n = " . n
    plot passes(int(n)) using 2:xtic(1) linecolor "#0072B2" title "H200", "" using 3 linecolor "#D55E00" title "emulated device"
}
unset multiplot
