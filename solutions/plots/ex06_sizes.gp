# Time against length, from the recorded sweep. In the folder solutions: gnuplot plots/ex06_sizes.gp
# length and microseconds of the rows of one variant:
curve(variant) = sprintf("< awk -F, '$2 == \"%s\" {print $4, $6 * 1e6}' timings/h200/ex06_sizes.csv", variant)

set encoding utf8
set terminal svg size 800,480 background "white"
set termoption noenhanced
set output "plots/ex06_sizes.svg"
set title "Scalar product of floats on an H200: median time"
set xlabel "elements"
set ylabel "time in µs"
set logscale x 2
set logscale y
set format x "2^%L"
set xrange [1000:3e8]
set yrange [2:1000]
set grid
set key left top
set style data linespoints
set pointsize 0.5
plot curve("one block") title "one block", \
     curve("two kernels") title "two kernels", \
     curve("two kernels; vector loads") title "two kernels, vector loads", \
     curve("one kernel; last block adds") title "one kernel, last block adds", \
     curve("one kernel; first block collects") linecolor "black" linewidth 2 title "one kernel, first block collects", \
     curve("cuBLAS dot") dashtype 2 title "cublasSdot", \
     curve("CUB reduction") dashtype 3 title "CUB"
