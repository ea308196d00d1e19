# The plots of ex13.md. In the folder solutions: gnuplot plots/ex13.gp
load 'plots/common.gp'
# unknowns, microseconds of one of the 50 iterations
curve(variant) = "< " . rows('ex13_sizes', 'CG: ' . variant, "print $4, $6 / 50 * 1e6")
# iteration, residual relative to the first
history(matrix, variant) = "< awk -F, '$1 == \"\\\"CG: " . variant . "\\\"\" {if ($2 == 0) first = $3; print $2, $3 / first}' timings/h200/ex13_history_" . matrix . ".csv"

set termoption enhanced # for powers of ten
set output plots . 'ex13_iteration.svg'
set title 'Conjugate gradient: time of an iteration, ' . device
set logscale xy
set format x '10^{%T}'
set xlabel 'unknowns (2D Poisson, log)'
set ylabel 'time of an iteration in µs (log)'
plot curve('library calls') title 'library calls', \
     curve('library calls with device scalars') title 'library calls, device scalars', \
     curve('three fused kernels') title 'three fused kernels', \
     curve('two kernels on slices') title 'two kernels on slices', \
     curve('one persistent kernel') title 'one persistent kernel', \
     curve('multigrid preconditioner') title 'multigrid preconditioner'

set output plots . 'ex13_convergence.svg'
set title 'Conjugate gradient: convergence, ' . device
set style data lines
set xlabel 'iteration (log)'
set ylabel '||r|| / ||b|| (log)'
set format x '%g'
set format y '10^{%T}'
plot history('poisson', 'two kernels on slices') title '512 x 512 Poisson: CG', \
     history('poisson', 'multigrid preconditioner') title '512 x 512 Poisson: multigrid', \
     history('bcsstk16', 'two kernels on slices') title 'bcsstk16: CG', \
     history('bcsstk16', 'Jacobi preconditioner') title 'bcsstk16: Jacobi', \
     history('bcsstk16', 'multigrid preconditioner') title 'bcsstk16: multigrid'
