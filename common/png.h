/* PNG files without a library. */
#ifndef PNG_H
#define PNG_H

/* Writes width x height pixels 0x00RRGGBB, from the top row on, into the .png file of that name.
 * Ends the program (exit 2) if it cannot. */
void writePng(const char *name, const int *pixels, int width, int height);
/* Ends the program (exit 2) unless the name ends with .png. NULL: no picture. */
void checkPngName(const char *option, const char *name);

#endif
