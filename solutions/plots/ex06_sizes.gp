# The plot of ex06.md. In the folder solutions: gnuplot plots/ex06_sizes.gp
load 'plots/common.gp'
# length and microseconds of the rows of one variant:
curve(variant) = "< " . rows('ex06_sizes', variant, "print $4, $6 * 1e6")

set output plots . 'ex06_sizes.svg'
limit = copyRate('ex06_sizes')
set title 'Scalar product of floats: median time, ' . device
set xlabel 'elements (log)'
set ylabel 'time in µs (log)'
set logscale x 2
set logscale y
set format x '2^%L'
set xrange [1000:3e8]
set yrange [2:1000]
set key inside left top
plot curve('one block') title 'one block', \
     curve('two kernels') title 'two kernels', \
     curve('two kernels; vector loads') title 'two kernels, vector loads', \
     curve('one kernel; last block adds') title 'one kernel, last block adds', \
     curve('one kernel; first block collects') title 'one kernel, first block collects', \
     curve('cuBLAS dot') dashtype 2 title 'cublasSdot', \
     curve('CUB reduction') dashtype 3 title 'CUB', \
     8 * x / limit * 1e-3 with lines dt 2 lc rgb 'black' title 'at the copy rate'
