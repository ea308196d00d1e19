# Time of a barrier against the number of blocks, from the recorded sweep. In the folder solutions:
# gnuplot plots/ex10_blocks.gp
# blocks and microseconds per barrier of the rows of one variant:
curve(variant) = sprintf("< awk -F, '$2 == \"%s\" {sub(/.*blocks=/, \"\", $14); print $14 + 0, $6 / $4 * 1e6}' timings/h200/ex10_sweep.csv", variant)

set encoding utf8
set terminal svg size 800,480 background "white"
set termoption noenhanced
set output "plots/ex10_blocks.svg"
set title "Barriers on an H200 (132 multiprocessors), 256 threads per block"
set xlabel "blocks"
set ylabel "time of a barrier in µs"
set yrange [0:3.5]
set logscale x 2
set format x "%.0f"
set grid
set key outside below
set xrange [1:640]
set style data linespoints
set pointsize 0.5
plot curve("kernel after kernel") linewidth 2 title "kernel after kernel", \
     curve("two levels; release and acquire") linewidth 2 title "two levels; release and acquire", \
     curve("one counter; volatile and fences") linewidth 2 title "one counter; volatile and fences", \
     curve("cooperative launch") linewidth 2 title "cooperative launch", \
     curve("one counter; release and acquire") linewidth 2 title "one counter; release and acquire"
