# The plots of ex16.md. In the folder solutions: gnuplot plots/ex16.gp
load 'plots/common.gp'
copy(variant) = "< " . rows('ex16_bytes', variant, "print $8, $8 / $6 * 1e-9")
grid(threads) = "< " . rows('ex16_grid', 'empty kernel', sprintf("if (sub(/^threads=%d blocks=/, \"\", $14)) print $14 + 0, $6 * 1e6", threads))
# results per cycle and multiprocessor, of which $30 has so many at $31 Hz; a multiply-add is one, and counts as two operations
chains(variant, operations) = "< " . rows('ex16_chains', 'all threads: ' . variant, sprintf("print substr($14, 8), $9 / $6 / %d / $30 / $31", operations))
recorded = 'timings/h200/ex??.csv timings/h200/ex??_faster.csv timings/h200/ex05_sizes.csv timings/h200/ex12_sizes.csv timings/h200/ex13_small.csv timings/h200/ex19_sweep.csv timings/h200/ex20_sizes.csv'
# $1: seconds of the CPU's cores; $2: speed-up, of the kernel alone (column 2) or with copies (3); $3: the exercise, if `last`
faster(column, last) = sprintf("< awk -v curve=all -v ends=%d -f plots/faster.awk %s | awk 'NF == 0 {print} $%d > 0 {print $4, $%d, $5}'", last, recorded, column, column)

set output plots . 'ex16_bytes.svg'
set title 'Copies between host and device, ' . device
set xlabel 'bytes (log)'
set ylabel 'GB/s (log)'
set logscale xy
set format x '%.0s %cB'
plot copy('to the device; page-locked') title 'to the device, page-locked', \
     copy('from the device; page-locked') title 'from the device, page-locked', \
     copy('to the device; pageable') title 'to the device, pageable', \
     copy('from the device; pageable') title 'from the device, pageable'

set output plots . 'ex16_grid.svg'
set title 'An empty kernel, ' . device
set xlabel 'blocks (log)'
set ylabel 'µs (log)'
set format x '%.0f'
plot grid(32) title '32 threads in a block', grid(256) title '256', grid(1024) title '1024'

set output plots . 'ex16_chains.svg'
set title 'One warp for each scheduler, ' . device
set xlabel 'independent chains in a thread (log)'
set ylabel 'results per cycle and multiprocessor (log)'
set format y '%g'
set xtics (1, 2, 4)
set xrange [0.95:4.2]
plot chains('float multiply-add', 2) title 'float multiply-add', chains('float add', 1) title 'float add', \
     chains('integer multiply-add', 2) title 'integer multiply-add', \
     chains('double multiply-add', 2) title 'double multiply-add', chains('__sinf', 1) title '__sinf', \
     chains('sqrtf', 1) title 'sqrtf', chains('float division', 1) title 'division', chains('sinf', 1) title 'sinf'
set xtics autofreq
set autoscale x

set output plots . 'ex16_faster.svg'
set title 'Is the GPU faster? ' . device . ' against 16 cores'
set xlabel 'time that the 16 cores take (log)'
set ylabel 'times as fast as all cores of the CPU (log)'
set format y '%g'
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2
set format x '%.0s %cs'
set terminal svg size 800,600 background 'white'
plot faster(2, 0) title 'kernel alone', faster(3, 0) title 'with allocation and copies', \
     faster(2, 1) using 1:2:3 with labels left offset 0.6,0 font ',9' tc rgb '#0063a6' notitle, \
     faster(3, 1) using 1:2:3 with labels left offset 0.6,0 font ',9' tc rgb '#c44e00' notitle
