# The plot of ex08.md: the number of threads that add their sums to one address. In the folder solutions:
# gnuplot plots/ex08_threads.gp
load 'plots/common.gp'
# threads and microseconds of the rows of one variant:
curve(variant) = "< " . rows('ex08_threads', variant, "sub(/threads=/, \"\", $14); print $14 + 0, $6 * 1e6")

set output plots . 'ex08_threads.svg'
limit = copyRate('ex08_threads')
set title '2^20 doubles, every thread adds its sum to one address: median time, ' . device
set xlabel 'threads (log)'
set ylabel 'time in µs (log)'
set logscale x 2
set logscale y
set format x '%.0f'
set key inside center top
plot curve('every thread') title 'atomicAdd', \
     curve('every thread; compare-and-swap') title 'compare-and-swap', \
     16 * 2**20 / limit * 1e-3 with lines dt 2 lc rgb 'black' title 'at the copy rate'
