# Rate against n, and bank conflicts against n, from the recorded sweep and counters.
# In the folder solutions: gnuplot plots/ex11.gp
file = "timings/h200/ex11_sweep.csv"
# n and fraction of the copy rate of one variant's rows:
curve(variant) = sprintf("< awk -F, '$2 == \"%s\" {sub(/n=/, \"\", $14); print $14, $11}' %s", variant, file)
# n and the passes per request of one layout's loads (name: loads_h200, stores_h200, loads_emulated, ...):
degree(variant, name) = sprintf("< awk -F, '$2 == \"%s\" {split($14, p, /[ =]/); for (i = 1; i < 10; i += 2) v[p[i]] = p[i + 1]; print v[\"n\"], v[\"%s\"]}' timings/h200/ex11_conflicts.csv", variant, name)

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
set title "2^28 elements in n x n matrices on an H200: rate, a device-to-device copy being 1"
set ylabel "fraction of the copy rate"
set yrange [0:1.1]
set key bottom right
plot curve("rows of A as float4") linecolor "black" linewidth 2 title "rows of A as float4", \
     curve("column of B in registers") title "column of B in registers", \
     curve("shared memory") title "shared memory", \
     curve("cublasSgemmStridedBatched") dashtype 2 title "cublasSgemmStridedBatched"

set output "plots/ex11_conflicts.svg"
set title "Passes through shared memory for each load of the product: H200 (ncu) and emulated device"
set ylabel "passes per request"
set yrange [0.8:20]
set logscale y 2
set key top left
plot degree("shared memory", "loads_h200") linetype 1 title "B[k][tx]", \
     degree("shared; B transposed", "loads_h200") linetype 2 title "B[tx][k]", \
     degree("shared; B padded", "loads_h200") linetype 3 title "B[tx][k], rows of n + 1", \
     degree("shared; B transposed", "loads_emulated") with points linetype 2 pointtype 6 pointsize 1.5 title "emulated", \
     degree("shared; B padded", "loads_emulated") with points linetype 3 pointtype 6 pointsize 1.5 title "emulated"
