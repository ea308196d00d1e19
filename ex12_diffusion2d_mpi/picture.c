/* The field as a picture: a sample of its points, gathered on rank 0 and written as PPM. */
#include "diffusion2d.h"
#include "harness.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIXELS = 512 };

/* From black through red and yellow to white. */
static void colour(float value, unsigned char *rgb)
{
    const float v = 3.0f * (value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value);

    for (int k = 0; k < 3; k++) {
        const float part = v - (float)k;

        rgb[k] = (unsigned char)(255.0f * (part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part) + 0.5f);
    }
}

static void writePixels(const char *file, const float *pixels, int width, int height)
{
    char partial[4096];
    FILE *out;
    int failed;

    snprintf(partial, sizeof partial, "%s.partial", file);
    out = fopen(partial, "wb");
    if (out == NULL)
        courseFail(EXIT_USAGE, "cannot write %s: %s", partial, strerror(errno));
    fprintf(out, "P6\n%d %d\n255\n", width, height);
    for (long i = 0; i < (long)width * height; i++) {
        unsigned char rgb[3];

        colour(pixels[i], rgb);
        fwrite(rgb, 1, sizeof rgb, out);
    }
    failed = fflush(out) != 0 || ferror(out);
    if (fclose(out) != 0 || failed || rename(partial, file) != 0) {
        const int error = errno;

        remove(partial);
        courseFail(EXIT_USAGE, "cannot write %s: %s", file, strerror(error));
    }
}

void pictureWrite(const char *file, const struct slab *s, const float *field)
{
    const int every = ((s->nx > s->ny ? s->nx : s->ny) + MOST_PIXELS - 1) / MOST_PIXELS;
    const int width = (s->nx + every - 1) / every, height = (s->ny + every - 1) / every;
    /* A rank shows its own rows, the first and last ranks the border's, too. */
    const int from = s->above == MPI_PROC_NULL ? 0 : s->first;
    const int to = s->below == MPI_PROC_NULL ? s->ny : s->first + s->rows;
    float *pixels = calloc((size_t)width * (size_t)height, sizeof *pixels);

    if (pixels == NULL)
        courseFail(EXIT_USAGE, "no memory for a picture");
    for (int j = (from + every - 1) / every; j * every < to; j++)
        for (int i = 0; i < width; i++)
            pixels[j * width + i] =
                field[(size_t)(j * every - (s->first - 1)) * (size_t)s->nx + (size_t)(i * every)];
    mpiPatience(s->patience, "rank %d waits for the other ranks' part of a picture", s->rank);
    mpiVerify(MPI_Reduce(s->rank == 0 ? MPI_IN_PLACE : pixels, pixels, width * height, MPI_FLOAT,
                         MPI_SUM, 0, s->comm)); /* what a rank does not show is 0 */
    mpiPatienceEnd();
    if (s->rank == 0)
        writePixels(file, pixels, width, height);
    free(pixels);
}
