# Rate of square transposes against their size, from the recorded sweeps.
# In the folder solutions: gnuplot plots/ex18.gp
# rows and GB/s of one variant's rows in a file:
curve(file, variant) = sprintf("< awk -F, '$2 == \"%s\" {split($14, p, /[= ]/); print p[2], $8 / $6 * 1e-9}' timings/h200/%s.csv", variant, file)

set encoding utf8
set terminal svg size 900,480 background "white"
set termoption noenhanced
set grid
set style data linespoints
set pointsize 0.4
set ylabel "GB/s"
set yrange [0:*]

# The same, of sizes that are a multiple of four (0), or one more (1).
some(variant, rest) = sprintf("< awk -F, '$2 == \"%s\" {split($14, p, /[= ]/); if (p[2] %% 4 == %d) print p[2], $8 / $6 * 1e-9}' timings/h200/ex18_sizes.csv", variant, rest)

set output "plots/ex18_sizes.svg"
set title "Transposing n x n floats on an H200: multiples of four (solid), and one more (dashed)"
set xlabel "n"
set logscale x 2
set xrange [950:21000]
set xtics (1000, 2000, 4000, 8000, 16000)
set key bottom right
plot some("copy (no transpose)", 0) linecolor "gray" title "copy", \
     some("blocks in the order of y", 0) linecolor "black" linewidth 2 title "blocks in the order of y", \
     some("blocks in the order of y", 1) linecolor "black" linewidth 2 dashtype 2 notitle, \
     some("cublasSgeam", 0) linecolor "red" title "cublasSgeam", \
     some("cublasSgeam", 1) linecolor "red" dashtype 2 notitle, \
     some("padded", 0) linecolor "#0072B2" title "padded", \
     some("padded", 1) linecolor "#0072B2" dashtype 2 notitle
unset logscale

set output "plots/ex18_powers.svg"
set title ""
set terminal svg size 1100,480 background "white"
set multiplot layout 1, 2 margins 0.07, 0.97, 0.24, 0.86 spacing 0.07 title "Transposing n x n floats on an H200, n around powers of two"
set xtics auto
set key at screen 0.5, 0.02 center bottom maxrows 2
do for [from in "1000 4064"] {
    set xrange [int(from):(int(from) == 1000 ? 1100 : 4128)]
    plot curve("ex18_powers", "copy (no transpose)") linecolor "gray" title "copy", \
         curve("ex18_powers", "blocks in the order of y") linecolor "black" linewidth 2 title "blocks in the order of y", \
         curve("ex18_powers", "cublasSgeam") linecolor "red" title "cublasSgeam", \
         curve("ex18_powers", "padded") linecolor "#0072B2" title "padded", \
         curve("ex18_powers", "read by rows") linecolor "#D55E00" title "read by rows", \
         curve("ex18_powers", "read by columns") linecolor "#E69F00" title "read by columns"
}
unset multiplot
