# The plots of solutions/ex12.md from the recorded timings. From the repository's root: gnuplot solutions/plots/ex12.gp
timings = 'solutions/timings/h200/'
plots = 'solutions/plots/'
# Of one variant, for each number of ranks: the efficiency (its time on one rank by its time on n, and by n), and the
# points stepped per second in units of 10^9 (8 bytes each).
efficiency(variant) = sprintf("< awk -F, '$2 == \"%s\" {split($14, p, /[= ]/); n = p[2]; if (n == 1) t = $6; print n, t / $6 / n}' %sex12_strong.csv", variant, timings)
rate(variant) = sprintf("< awk -F, '$2 == \"%s\" {split($14, p, /[= ]/); print p[2], $8 / 8 / $6 * 1e-9}' %sex12_strong.csv", variant, timings)

set terminal svg size 720,400 background 'white'
set grid
set key outside right
set style data linespoints
set pointsize 0.6
set xlabel 'GPUs'
set logscale x 2
set xtics (1, 2, 4)
set xrange [0.9:4.4]

set output plots . 'ex12_efficiency.svg'
set ylabel 'efficiency, same field on all'
set yrange [0.8:1.02]
plot efficiency('plain kernel; staged exchange') pt 7 title 'plain kernel, staged', \
     efficiency('page-locked buffers') pt 7 title 'page-locked buffers', \
     efficiency('float4; rows in registers') pt 7 title 'float4, rows in registers', \
     efficiency('overlapped exchange') pt 7 title 'overlapped', \
     efficiency('overlapped; peer copies') pt 5 title 'overlapped, peer copies', \
     efficiency('overlapped; NCCL') pt 9 title 'overlapped, NCCL', \
     efficiency('8 steps per exchange') pt 7 title '8 steps per exchange', \
     efficiency('8 steps; peer copies') pt 5 title '8 steps, peer copies'

set output plots . 'ex12_strong.svg'
set ylabel '10^9 points stepped per second'
set logscale y 2
set yrange [200:16000]
plot rate('plain kernel; staged exchange') pt 7 title 'plain kernel, staged', \
     rate('float4; rows in registers') pt 7 title 'float4, rows in registers', \
     rate('overlapped; peer copies') pt 5 title 'overlapped, peer copies', \
     rate('8 steps; peer copies') pt 5 title '8 steps, peer copies', \
     525. * x dt 2 lc rgb 'grey' title 'at the copy rate'
