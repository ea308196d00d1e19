# The plots of ex16.md. In the folder solutions: gnuplot plots/ex16.gp
load 'plots/common.gp'
copy(variant) = "< " . rows('ex16_bytes', variant, "print $8, $8 / $6 * 1e-9")
grid(threads) = "< " . rows('ex16_grid', 'empty kernel', sprintf("if (sub(/^threads=%d blocks=/, \"\", $14)) print $14 + 0, $6 * 1e6", threads))
faster(exercise, column) = sprintf("< awk -v curve=%s -f plots/faster.awk timings/h200/ex??_faster.csv timings/h200/ex05_sizes.csv | awk '$%d > 0 {print $1, $%d}'", exercise, column, column)

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

set output plots . 'ex16_faster.svg'
set title 'Is the GPU faster? ' . device . ' against 16 cores'
set xlabel 'elements (log)'
set ylabel 'times as fast as all cores of the CPU (log)'
set format y '%g'
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2
plot for [e in 'ex01 ex03 ex05 ex06 ex08'] faster(e, 2) title e . ', kernel alone', \
     for [e in 'ex01 ex03 ex05 ex06 ex08'] faster(e, 3) dt 3 title e . ', with copies'
