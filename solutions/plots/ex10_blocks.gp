# The plot of ex10.md: a barrier against the number of blocks. In the folder solutions: gnuplot plots/ex10_blocks.gp
load 'plots/common.gp'
# blocks and microseconds per barrier of the rows of one variant:
curve(variant) = "< " . rows('ex10_sweep', variant, "sub(/.*blocks=/, \"\", $14); print $14 + 0, $6 / $4 * 1e6")

set output plots . 'ex10_blocks.svg'
set title 'Barriers of 256 threads per block: median time, ' . device . ' (132 multiprocessors)'
set xlabel 'blocks (log)'
set ylabel 'time of a barrier in µs'
set yrange [0:3.5]
set logscale x 2
set format x '%.0f'
set xrange [1:640]
plot curve('kernel after kernel') title 'kernel after kernel', \
     curve('two levels; release and acquire') title 'two levels, release and acquire', \
     curve('one counter; volatile and fences') title 'one counter, volatile and fences', \
     curve('cooperative launch') title 'cooperative launch', \
     curve('one counter; release and acquire') title 'one counter, release and acquire'
