# The plot of ex05.md. In the folder solutions: gnuplot plots/ex05.gp
load 'plots/common.gp'
curve(variant) = "< " . rows('ex05_block', variant, "sub(/^[a-z]*=/, \"\", $14); print $14 + 0, $8 / $6 * 1e-9")

set output plots . 'ex05_block.svg'
limit = copyRate('ex05_block')
set title 'Diffusion in 1D: rate, ' . device
set xlabel 'threads per block (log)'
set ylabel 'GB/s (log; several steps per pass: effective)'
set logscale xy 2
plot curve('one point per thread') title 'one point per thread', \
     curve('grid-stride loop') title 'grid-stride loop', \
     curve('tile in shared memory') title 'tile in shared memory', \
     curve('float4; neighbours by shuffle') title 'float4, neighbours by shuffle', \
     curve('several steps per pass') title 'several steps per pass', \
     limit with lines dt 2 lc rgb 'black' title copyTitle(limit)
