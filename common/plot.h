/* Pictures of a program's measurements or results, drawn by gnuplot. */
#ifndef PLOT_H
#define PLOT_H

/* Ends the program unless pictures can be drawn into a file of this name: .svg or .png (exit 2),
 * with gnuplot (exit 77). NULL: no picture. Call before the work. */
void plotCheck(const char *file);
/* Adds a point to the curve of that name. */
void plotPoint(const char *curve, double x, double y);
/* Draws all curves into the file, in the order in which they began; `settings` are gnuplot
 * commands, such as titles. Does nothing if file is NULL. An old picture is replaced only by a
 * complete one. */
void plotDraw(const char *file, const char *settings);

#endif
