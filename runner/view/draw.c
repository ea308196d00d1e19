#include "draw.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static FILE *out; /* the picture that is open */

static const char style[] =
    "<style>\n"
    "text{font:13px 'DejaVu Sans',system-ui,sans-serif;fill:#1c2733}\n"
    ".m{font-family:'DejaVu Sans Mono',ui-monospace,monospace;font-size:12px}.s{font-size:11px}\n"
    ".h{font-weight:600}.mid{text-anchor:middle}.end{text-anchor:end}.dim{fill:#5d6b7a}\n"
    "rect{stroke:#8a97a5;stroke-width:1}.bg{fill:#fff;stroke:none}.none{fill:#eef1f4}\n"
    ".a{fill:#9fc5f8}.b{fill:#f9c88b}.c{fill:#a8dcae}.waste{fill:none}\n"
    ".frame{fill:none;stroke:#1c2733;stroke-width:1.5}.hatch{stroke:#d9534a;stroke-width:2}\n"
    "line{stroke:#8a97a5;stroke-width:1}.dash{stroke-dasharray:4 3}\n"
    ".strong,.arrow{stroke:#1c2733;stroke-width:1.5}.tip{fill:#1c2733}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text,.tip{fill:#e3eaf1}.dim{fill:#9aa8b6}rect,line{stroke:#6d7b89}.bg{fill:#0f161d;stroke:"
    "none}\n"
    ".none{fill:#1e2831}.a{fill:#27588f}.b{fill:#8c5a17}.c{fill:#2c6e37}\n"
    ".frame{fill:none;stroke:#e3eaf1}.hatch{stroke:#c4544b}.strong,.arrow{stroke:#e3eaf1}\n"
    "}\n"
    "</style>\n"
    "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
    "markerHeight=\"7\" "
    "orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n";

/* Text with the three characters that XML reserves, escaped. */
static void escaped(const char *text)
{
    for (; *text != '\0'; text++)
        fprintf(out,
                *text == '<'   ? "&lt;"
                : *text == '>' ? "&gt;"
                : *text == '&' ? "&amp;"
                               : "%c",
                *text);
}

void beginDrawing(FILE *file, int width, int height, const char *title, const char *description)
{
    out = file;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" "
            "role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">",
            width, height, width, height);
    escaped(title);
    fputs("</title>\n<desc id=\"desc\">", out);
    escaped(description);
    fprintf(out, "</desc>\n%s<rect class=\"bg\" width=\"%d\" height=\"%d\"/>\n", style, width,
            height);
}

void endDrawing(void)
{
    fputs("</svg>\n", out);
    out = NULL;
}

/* Hatches a rectangle line by line. Of a pattern, printing would make a bitmap of the whole page
 * for each rectangle. */
static void hatch(int x, int y, int width, int height)
{
    enum { STEP = 6 };

    fputs("<path class=\"hatch\" d=\"", out);
    for (int sum = (x + y) / STEP * STEP + STEP; sum < x + width + y + height; sum += STEP) {
        const int left = sum - y - height > x ? sum - y - height : x;
        const int right = sum - y < x + width ? sum - y : x + width;

        fprintf(out, "M%d %dL%d %d", left, sum - left, right, sum - right);
    }
    fputs("\"/>\n", out);
}

void box(int x, int y, int width, int height, const char *kind)
{
    if (strcmp(kind, "waste") == 0)
        hatch(x, y, width, height);
    fprintf(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", kind, x, y,
            width, height);
}

void label(int x, int y, const char *kind, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", kind, x, y);
    escaped(text);
    fputs("</text>\n", out);
}

void line(int x1, int y1, int x2, int y2, const char *kind)
{
    fprintf(out, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", kind, x1, y1, x2,
            y2);
}

void arrow(int x1, int y1, int x2, int y2)
{
    fprintf(out,
            "<line class=\"arrow\" marker-end=\"url(#tip)\" x1=\"%d\" y1=\"%d\" x2=\"%d\" "
            "y2=\"%d\"/>\n",
            x1, y1, x2, y2);
}
