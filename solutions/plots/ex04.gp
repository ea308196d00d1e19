# The plots of ex04.md from the recorded timings. In the folder solutions: gnuplot plots/ex04.gp
timings = 'timings/h200/'
plots = 'plots/'
# x y of the rows of one variant whose parameters match: the parameter's value, GB/s
curve(file, variant, match) = sprintf("< awk -F, '$2 == \"%s\" && $14 ~ /%s/ {sub(/^[a-z]*=/, \"\", $14); print $14 + 0, $8 / $6 * 1e-9}' %s%s.csv", variant, match, timings, file)

set terminal svg size 800,480 background 'white'
set grid
set key outside below
set style data linespoints
set pointsize 0.4
set ylabel 'GB/s'
set yrange [0:*]

set output plots . 'ex04_offset.svg'
set xlabel 'offset (elements)'
set xtics 8
plot curve('ex04_offset', 'offset', 'inputs') pt 7 title 'offset on the inputs', \
     curve('ex04_offset', 'offset', 'output') pt 7 title 'offset on the output', \
     curve('ex04_offset', 'offset; realigned float4', 'inputs') pt 7 title 'inputs, realigned float4', \
     curve('ex04_offset', 'offset; realigned float4', 'output') pt 7 title 'output, realigned float4'

set output plots . 'ex04_region.svg'
set xlabel 'elements per thread'
set xtics auto
set logscale x 2
plot curve('ex04_region', 'region per thread', '.') pt 7 title 'region per thread', \
     curve('ex04_region', 'region per warp', '.') pt 7 title 'region per warp', \
     curve('ex04_region', 'region per warp; float4', '.') pt 7 title 'region per warp, float4', \
     curve('ex04_region', 'region staged in shared memory', '.') pt 7 title 'region staged in shared memory'

stats curve('ex04_stride', 'stride', '.') every ::0::0 using 2 name 'one' nooutput
set output plots . 'ex04_stride.svg'
set xlabel 'stride (elements)'
set logscale y 2
set yrange [64:*]
plot curve('ex04_stride', 'stride', '.') pt 7 title 'stride', \
     one_max / (x < 8 ? x : 8) with lines dt 2 title 'as if only sectors of 32 bytes counted'
