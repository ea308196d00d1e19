# The plots of solutions/ex12.md from the recorded timings. From the repository's root: gnuplot solutions/plots/ex12.gp
timings = 'solutions/timings/h200/'
plots = 'solutions/plots/'
# ranks and efficiency of one variant: its time on one rank by its time on more, and by their number where the field is
# the same (each = 1)
curve(file, variant, each) = sprintf("< awk -F, '$2 == \"%s\" {split($14, p, /[= ]/); n = p[2]; if (n == 1) t = $6; print n, t / $6 / (%d ? n : 1)}' %s%s.csv", variant, each, timings, file)

set terminal svg size 640,420 background 'white'
set grid
set key outside below
set style data linespoints
set pointsize 0.5
set xlabel 'GPUs'
set xtics (1, 2, 4)
set xrange [0.8:4.2]
set ylabel 'efficiency'
set yrange [0:1.1]

set output plots . 'ex12_strong.svg'
plot curve('ex12_strong', 'plain kernel; staged exchange', 1) pt 7 title 'plain kernel, staged exchange', \
     curve('ex12_strong', 'page-locked buffers', 1) pt 7 title 'page-locked buffers', \
     curve('ex12_strong', 'float4; rows in registers', 1) pt 7 title 'float4, rows in registers', \
     curve('ex12_strong', 'overlapped exchange', 1) pt 7 title 'overlapped exchange', \
     curve('ex12_strong', 'overlapped; peer copies', 1) pt 7 title 'overlapped, peer copies', \
     curve('ex12_strong', 'overlapped; NCCL', 1) pt 7 title 'overlapped, NCCL', \
     curve('ex12_strong', '8 steps per exchange', 1) pt 7 title '8 steps per exchange', \
     curve('ex12_strong', '8 steps; peer copies', 1) pt 7 title '8 steps, peer copies'
