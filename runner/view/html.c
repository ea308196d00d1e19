/* Text in a page of HTML. */
#include "html.h"
#include "files.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>

void htmlBegin(struct text *page, const char *title, const char *style)
{
    char *path = formatString("%s/runner/view/report.css", sourceFolder()),
         *common = readFile(path);

    appendText(page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<link rel=\"icon\" href=\"data:,\">\n<title>");
    htmlText(page, title);
    appendFormat(page, "</title>\n<style>\n%s%s</style></head><body>\n", common, style);
    free(common);
    free(path);
}

void htmlText(struct text *page, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *name = *text == '<'   ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '&' ? "&amp;"
                           : *text == '"' ? "&quot;"
                                          : NULL;

        if (name != NULL)
            appendText(page, name);
        else
            append(page, text, 1);
    }
}

void htmlElement(struct text *page, const char *tag, const char *text)
{
    appendFormat(page, "<%s>", tag);
    htmlText(page, text);
    appendFormat(page, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void htmlNumber(struct text *page, const char *text)
{
    htmlElement(page, "td class=\"number\"", text);
}

char *htmlSeconds(double seconds)
{
    if (!(seconds > 0.0))
        return formatString("%s", "");
    return seconds >= 1.0    ? formatString("%.3g s", seconds)
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
