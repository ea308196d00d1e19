# Time against the number of threads that add their sums to one address, from the recorded sweep. In the
# folder solutions: gnuplot plots/ex08_threads.gp
# threads and microseconds of the rows of one variant:
curve(variant) = sprintf("< awk -F, '$2 == \"%s\" {sub(/threads=/, \"\", $14); print $14 + 0, $6 * 1e6}' timings/h200/ex08_threads.csv", variant)

set encoding utf8
set terminal svg size 800,480 background "white"
set termoption noenhanced
set output "plots/ex08_threads.svg"
set title "2^20 doubles on an H200: every thread adds its sum to one address"
set xlabel "threads"
set ylabel "time in µs"
set logscale x 2
set logscale y
set format x "%.0f"
set grid
set key center top
set style data linespoints
set pointsize 0.5
plot curve("every thread") linewidth 2 title "atomicAdd", \
     curve("every thread; compare-and-swap") linewidth 2 title "compare-and-swap"
