/* Text in a page of HTML. */
#include "html.h"
#include "files.h"
#include <math.h>
#include <string.h>

void htmlBegin(struct text *page, const char *title)
{
    appendFormat(page,
                 "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n<style>\n%s</style>"
                 "</head><body>\n",
                 escaped(title),
                 readFile(formatString("%s/runner/view/report.css", sourceFolder())));
}

char *escaped(const char *text)
{
    struct text html = {0};

    for (appendText(&html, ""); *text != '\0'; text++)
        appendFormat(&html,
                     *text == '<'   ? "&lt;"
                     : *text == '>' ? "&gt;"
                     : *text == '&' ? "&amp;"
                     : *text == '"' ? "&quot;"
                                    : "%c",
                     *text);
    return html.data;
}

void htmlElement(struct text *page, const char *tag, const char *text)
{
    appendFormat(page, "<%s>%s</%.*s>", tag, escaped(text), (int)strcspn(tag, " "), tag);
}

void htmlSection(struct text *page, const char *id, const char *title)
{
    appendFormat(page, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
}

void htmlTable(struct text *page, const char *label, const char *heads)
{
    appendFormat(page,
                 "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table>\n"
                 "<thead><tr>",
                 escaped(label));
    while (*heads != '\0') {
        const size_t length = strcspn(heads, "|");
        const int isNumber = *heads == '#';

        appendFormat(page, "<th scope=\"col\"%s>%.*s</th>", isNumber ? " class=\"number\"" : "",
                     (int)length - isNumber, heads + isNumber);
        heads += length + (heads[length] == '|');
    }
    appendText(page, "</tr></thead><tbody>\n");
}

const char *htmlSeconds(double seconds)
{
    return !(seconds > 0.0)  ? ""
           : seconds >= 1.0  ? formatString("%.3g s", seconds)
           : seconds >= 1e-3 ? formatString("%.3g ms", seconds * 1e3)
                             : formatString("%.3g µs", seconds * 1e6);
}

char *htmlCount(double count)
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    const int power = count > 0.0 ? (int)floor(log2(count) + 1e-9) : 0;
    int unit = 0;

    if (count >= 1024.0 && exp2(power) == count) { /* a power of two */
        static const char *const binary[] = {"", " Ki", " Mi", " Gi", " Ti"};

        return formatString("%.0f%s", exp2(power % 10), binary[power / 10 < 4 ? power / 10 : 4]);
    }
    for (; count >= (unit == 0 ? 10000.0 : 1000.0) && unit < 4; unit++)
        count /= 1000.0;
    return formatString("%.4g%s", count, units[unit]);
}
