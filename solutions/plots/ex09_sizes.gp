# The plot of ex09.md. In the folder solutions: gnuplot plots/ex09_sizes.gp
load 'plots/common.gp'
# particles and nanoseconds per particle of the rows of one variant:
print = "print $4, $6 / $4 * 1e9"
curve(variant) = "< (" . rows('ex09_sizes', variant, print) . "; " . rows('ex09', variant, print) . ")"

set output plots . 'ex09_sizes.svg'
set title 'Random particles, 16 to a cell: median time, ' . device
set xlabel 'particles (log)'
set ylabel 'ns per particle (log)'
set logscale x 2
set logscale y
set format x '%.0f'
set key inside center top
set rmargin 6
plot curve('atomic increment') title 'atomic increment', \
     curve('chunks and tiles in shared memory') title 'chunks and tiles in shared memory', \
     curve('the same; compact lists') title 'the same, compact lists', \
     curve('CUB radix sort of the cell keys') title 'CUB radix sort of the cell keys'
