# Error over h, from the recorded sweep. In the folder solutions: gnuplot plots/ex21_h.gp
# width of an interval and error of the rows of one variant; an error of 0 is not drawn:
curve(variant) = sprintf("< grep '%s' timings/h200/ex21_h.csv | sed 's/\"[^\"]*\"/x/' | awk -F, '$13 > 0 {print 1 / $4, $13}'", variant)

set encoding utf8
set terminal svg size 800,480 background "white"
set termoption noenhanced
set output "plots/ex21_h.svg"
set title "Simpson's rule: error of the integral of exp(x) from 0 to 1"
set xlabel "h"
set ylabel "error"
set logscale x 2
set logscale y
set format x "2^%L"
set format y "10^%L"
set yrange [1e-17:1e-2]
set grid
set key left bottom
set style data linespoints
set pointsize 0.5
plot curve(",shared ends,") linecolor "black" title "double", \
     curve(",float,") title "float", \
     curve("compensated sum") title "float, compensated sum", \
     curve("in chunks") title "float in chunks", \
     curve("by special functions") title "special functions", \
     x ** 4 / 2880 * 1.72 with lines dashtype 2 linecolor "gray" title "h^4 (f'''(b) - f'''(a)) / 2880"
