# The plots of solutions/ex13.md from the recorded timings. From the repository's root: gnuplot solutions/plots/ex13.gp
timings = 'solutions/timings/h200/'
plots = 'solutions/plots/'
# unknowns, microseconds of one of the 50 iterations
curve(variant) = sprintf("< awk -F, '$2 == \"CG: %s\" {print $4, $6 / 50 * 1e6}' %sex13_sizes.csv", variant, timings)
# iteration, residual relative to the first
history(matrix, variant) = sprintf("< awk -F, '$1 == \"\\\"CG: %s\\\"\" {if ($2 == 0) first = $3; print $2, $3 / first}' %sex13_history_%s.csv", variant, timings, matrix)

set terminal svg size 800,480 background 'white'
set grid
set key outside below
set style data linespoints
set pointsize 0.4

set output plots . 'ex13_iteration.svg'
set logscale xy
set format x '10^{%T}'
set xlabel 'unknowns (2D Poisson)'
set ylabel 'time of an iteration (us)'
plot curve('library calls') pt 7 title 'library calls', \
     curve('library calls with device scalars') pt 7 title 'library calls, device scalars', \
     curve('three fused kernels') pt 7 title 'three fused kernels', \
     curve('two kernels on slices') pt 7 title 'two kernels on slices', \
     curve('one persistent kernel') pt 7 title 'one persistent kernel', \
     curve('multigrid preconditioner') pt 7 title 'multigrid preconditioner'

set output plots . 'ex13_convergence.svg'
set style data lines
set xlabel 'iteration'
set ylabel '||r|| / ||b||'
set format x '%g'
set format y '10^{%T}'
plot history('poisson', 'two kernels on slices') lw 2 title '512 x 512 Poisson: CG', \
     history('poisson', 'multigrid preconditioner') lw 2 title '512 x 512 Poisson: multigrid', \
     history('bcsstk16', 'two kernels on slices') lw 2 title 'bcsstk16: CG', \
     history('bcsstk16', 'Jacobi preconditioner') lw 2 title 'bcsstk16: Jacobi', \
     history('bcsstk16', 'multigrid preconditioner') lw 2 title 'bcsstk16: multigrid'
