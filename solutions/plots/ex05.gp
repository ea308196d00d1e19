# The plots of ex05.md from the recorded timings. In the folder solutions: gnuplot plots/ex05.gp
timings = 'timings/h200/'
plots = 'plots/'
curve(file, variant) = sprintf("< awk -F, '$2 == \"%s\" {sub(/^[a-z]*=/, \"\", $14); print $14 + 0, $8 / $6 * 1e-9}' %s%s.csv", variant, timings, file)

set terminal svg size 800,480 background 'white'
set grid
set key outside below
set style data linespoints
set pointsize 0.4
set output plots . 'ex05_block.svg'
set xlabel 'threads per block'
set ylabel 'GB/s (several steps per pass: effective)'
set logscale xy 2
plot curve('ex05_block', 'one point per thread') pt 7 title 'one point per thread', \
     curve('ex05_block', 'grid-stride loop') pt 7 title 'grid-stride loop', \
     curve('ex05_block', 'tile in shared memory') pt 7 title 'tile in shared memory', \
     curve('ex05_block', 'float4; neighbours by shuffle') pt 7 title 'float4, neighbours by shuffle', \
     curve('ex05_block', 'several steps per pass') pt 7 title 'several steps per pass'
