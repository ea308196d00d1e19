# Microseconds a step against n, and the residual over the steps beside its predicted slope, from recorded runs.
# In the folder solutions: gnuplot plots/ex20.gp
# n and microseconds a step of one variant, from two files; steps=K stands in the parameters, K + 1 products are done:
curve(variant) = sprintf("< cat timings/h200/ex20.csv timings/h200/ex20_sizes.csv | sed 's/\"%s\"/%s/' | awk -F, '$2 == \"%s\" && $6 {match($0, /steps=[0-9]+/); print $4 \",\" $6 * 1e6 / (substr($0, RSTART + 6, RLENGTH - 6) + 1)}' | sort -t, -n", variant, plain(variant), plain(variant))
plain(variant) = system("printf %s '" . variant . "' | tr -d ,")

set encoding utf8
set terminal svg size 900,480 background "white"
set termoption noenhanced
set grid
set datafile separator ","
set style data linespoints
set pointsize 0.5

set output "plots/ex20_step.svg"
set title "A step of x += a (A x - f) on an H200"
set xlabel "n"
set ylabel "time of a step in µs"
set logscale xy
set xtics (1024, 2048, 4096, 8192, 16384)
set xrange [950:18000]
set key outside below
plot curve("thread per row") title "thread per row", \
     curve("thread per row, transposed") title "thread per row, transposed", \
     curve("cublasSgemv, nrm2, axpy") linecolor "red" dashtype 2 title "cublasSgemv, nrm2, axpy", \
     curve("warp per row, float4") title "warp per row, float4", \
     curve("fused") title "fused, warp per row", \
     curve("fused, block per row") linecolor "black" linewidth 2 title "fused, block per row", \
     curve("all steps in one kernel") title "all steps in one kernel", \
     curve("the same, A in registers") title "A in registers", \
     curve("8 right-hand sides") title "8 right-hand sides"
unset logscale x

set output "plots/ex20_residual.svg"
set title "The residual over the steps"
set xlabel "step"
set ylabel "|| A x - f ||"
set xtics auto
set xrange [0:*]
set key inside top right
plot "timings/h200/ex20_history_random.csv" every ::1 using 1:2 with points linecolor "#0072B2" title "random, a = 0.8", \
     "" every ::1 using 1:3 with lines linecolor "#0072B2" title "slope 0.6", \
     "timings/h200/ex20_history_poisson.csv" every ::1 using 1:2 with points linecolor "#D55E00" title "Poisson, n = 16, a = -0.4", \
     "" every ::1 using 1:3 with lines linecolor "#D55E00" title "max |1 + a lambda|"

set output "plots/ex20_methods.svg"
set title "Three methods, the Poisson matrix, n = 16"
set ylabel "|| A x - f ||, logarithmic"
set logscale y
poisson = "timings/h200/ex20_history_poisson.csv"
plot poisson every ::1 using 1:2 with points linecolor "#D55E00" title "a = -0.4", \
     "" every ::1 using 1:3 with lines linecolor "#D55E00" title "max |1 + a lambda|", \
     "" every ::1 using 1:4 with points linecolor "#0072B2" title "Jacobi", \
     "" every ::1 using 1:5 with lines linecolor "#0072B2" title "its factor", \
     "" every ::1 using 1:6 with points linecolor "#009E73" title "Chebyshev", \
     "" every ::1 using 1:7 with lines linecolor "#009E73" title "its factor"
