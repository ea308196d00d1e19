/* Pictures of what a program has measured or computed, drawn by gnuplot. */
#ifndef PLOT_H
#define PLOT_H

/* Ends the program unless pictures can be drawn into a file of this name: .svg or .png (exit 2), with
 * gnuplot (exit 77). NULL, no picture asked for, is all right. Call before the work. */
void plotCheck(const char *file);
/* Adds a point to the curve of that name. */
void plotPoint(const char *curve, double x, double y);
/* Draws all curves into the file, in the order in which they began; `settings` are gnuplot commands,
 * such as titles. Nothing if file is NULL. A picture that was there is replaced only by a whole one. */
void plotDraw(const char *file, const char *settings);

#endif
