# The plots of ex04.md. In the folder solutions: gnuplot plots/ex04.gp
load 'plots/common.gp'
# x y of the rows of one variant whose parameters match: the parameter's value, GB/s
curve(file, variant, match) = "< " . rows(file, variant, "if ($14 ~ /" . match . "/) {sub(/^[a-z]*=/, \"\", $14); print $14 + 0, $8 / $6 * 1e-9}")

set ylabel 'GB/s'
set yrange [0:*]

set output plots . 'ex04_offset.svg'
limit = copyRate('ex04_offset')
set title 'Vector addition with an offset: rate, ' . device
set xlabel 'offset (elements)'
set xtics 8
plot curve('ex04_offset', 'offset', 'inputs') title 'offset on the inputs', \
     curve('ex04_offset', 'offset', 'output') title 'offset on the output', \
     curve('ex04_offset', 'offset; realigned float4', 'inputs') title 'inputs, realigned float4', \
     curve('ex04_offset', 'offset; realigned float4', 'output') title 'output, realigned float4', \
     limit with lines dt 2 lc rgb 'black' title copyTitle(limit)

set output plots . 'ex04_region.svg'
limit = copyRate('ex04_region')
set title 'Vector addition, a region for each thread: rate, ' . device
set xlabel 'elements per thread (log)'
set xtics auto
set logscale x 2
plot curve('ex04_region', 'region per thread', '.') title 'region per thread', \
     curve('ex04_region', 'region per warp', '.') title 'region per warp', \
     curve('ex04_region', 'region per warp; float4', '.') title 'region per warp, float4', \
     curve('ex04_region', 'region staged in shared memory', '.') title 'region staged in shared memory', \
     limit with lines dt 2 lc rgb 'black' title copyTitle(limit)

stats curve('ex04_stride', 'stride', '.') every ::0::0 using 2 name 'one' nooutput
set output plots . 'ex04_stride.svg'
limit = copyRate('ex04_stride')
set title 'Vector addition with a stride: rate, ' . device
set xlabel 'stride (elements, log)'
set ylabel 'GB/s (log)'
set logscale y 2
set yrange [64:8192]
plot curve('ex04_stride', 'stride', '.') title 'stride', \
     one_max / (x < 8 ? x : 8) with lines dt 3 title 'as if only sectors of 32 bytes counted', \
     limit with lines dt 2 lc rgb 'black' title copyTitle(limit)
