# The plot of ex17.md. In the folder solutions: gnuplot plots/ex17.gp
# (plots/ex17_gantt.svg is drawn by the program: --size 2^26 --chunks 12 --only device --svg plots/ex17_gantt.svg)
load 'plots/common.gp'
curve(variant) = "< " . rows('ex17_chunks', variant, "sub(/.* chunks=/, \"\", $14); print $14 + 0, $11")

set output plots . 'ex17_chunks.svg'
set title 'Chunks of 2^28 floats, ' . device
set xlabel 'chunks (log)'
set ylabel 'fraction of the limit'
set logscale x 2
set yrange [0:1.1]
plot curve('ring of streams') title 'ring of 4 streams', \
     curve('pipeline of three streams') title 'pipeline of three streams'
