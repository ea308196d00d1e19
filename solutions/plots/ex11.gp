# Rate against n, and bank conflicts against n, from the recorded sweep and counters.
# In the folder solutions: gnuplot plots/ex11.gp
file = "timings/h200/ex11_sweep.csv"
# n and fraction of the copy rate of one variant's rows:
curve(variant) = sprintf("< awk -F, '$2 == \"%s\" {sub(/n=/, \"\", $14); print $14, $11}' %s", variant, file)
# layout and the passes per request of its loads and stores, on the H200 and on the emulated device:
degrees(n) = sprintf("< awk -F, '$14 ~ /^n=%d / {name = $2; sub(/^shared. /, \"\", name); sub(/shared memory/, \"straight\", name); gsub(/[a-z_0-9]+=/, \"\", $14); print \"\\\"\" name \"\\\"\", $14}' timings/h200/ex11_conflicts.csv", n)

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
set multiplot layout 1, 2 margins 0.07, 0.96, 0.36, 0.84 spacing 0.07 title "Passes through shared memory for each request of a warp"
set style data histograms
set style histogram clustered
set style fill solid 0.7
set xlabel ""
set ylabel "passes per request"
set autoscale x
set yrange [0:36]
set xtics 1 rotate by -50
set key top left maxrows 4
do for [n in "32 31"] {
    set title "n = " . n
    plot degrees(int(n)) using 3:xtic(1) title "loads, H200", "" using 4 title "loads, emulated", \
         "" using 5 title "stores, H200", "" using 6 title "stores, emulated"
}
unset multiplot
