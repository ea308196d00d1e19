/* PNG files without a library: the pixels are not compressed, which the format allows ("stored"
 * blocks). */
#include "png.h"
#include "file.h"
#include "harness.h"
#include <string.h>

enum { BLOCK = 65535 }; /* the most bytes in a stored block */

/* A chunk under way: its checksum so far. */
static struct new_file file;
static unsigned crc;

/* The checksum of PNG: bytes as coefficients of a polynomial over two elements, modulo a fixed
 * one. */
static void put(const unsigned char *bytes, size_t n)
{
    static unsigned table[256];

    for (unsigned i = 0; table[255] == 0 && i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] & 1 ? 0xedb88320u ^ table[i] >> 1 : table[i] >> 1;
    }
    for (size_t i = 0; i < n; i++)
        crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
    fwrite(bytes, 1, n, file.stream); /* newFileMustKeep() finds an error */
}

/* The most significant byte first. */
static void putNumber(unsigned number)
{
    const unsigned char bytes[4] = {(unsigned char)(number >> 24), (unsigned char)(number >> 16),
                                    (unsigned char)(number >> 8), (unsigned char)number};

    put(bytes, 4);
}

static void beginChunk(const char *type, size_t length)
{
    putNumber((unsigned)length);
    crc = 0xffffffffu;
    put((const unsigned char *)type, 4);
}

static void endChunk(void) { putNumber(~crc); }

/* The checksum of the data: the sum of the bytes, and the sum of those sums, modulo a prime. */
static unsigned adler(const unsigned char *bytes, size_t n)
{
    unsigned sum = 1, sums = 0;

    for (size_t i = 0; i < n; i++) {
        sum = (sum + bytes[i]) % 65521;
        sums = (sums + sum) % 65521;
    }
    return sums << 16 | sum;
}

static void putData(const unsigned char *data, size_t n)
{
    const size_t blocks = (n + BLOCK - 1) / BLOCK;

    beginChunk("IDAT", 2 + 5 * blocks + n + 4);
    put((const unsigned char *)"\x78\x01", 2);
    for (size_t k = 0; k < blocks; k++) {
        const unsigned length = (unsigned)(k + 1 < blocks ? BLOCK : n - k * BLOCK);
        const unsigned char head[5] = {k + 1 == blocks, (unsigned char)length,
                                       (unsigned char)(length >> 8), (unsigned char)~length,
                                       (unsigned char)(~length >> 8)};

        put(head, 5);
        put(data + k * BLOCK, length);
    }
    putNumber(adler(data, n));
    endChunk();
}

void writePng(const char *name, const int *pixels, int width, int height)
{
    const size_t rowBytes = 1 + 3 * (size_t)width; /* each row begins with its filter: 0, none */
    unsigned char *data = newArray((size_t)height * rowBytes, 1);

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int pixel = pixels[(size_t)y * (size_t)width + (size_t)x];
            unsigned char *at = data + (size_t)y * rowBytes + 1 + 3 * (size_t)x;

            at[0] = (unsigned char)(pixel >> 16);
            at[1] = (unsigned char)(pixel >> 8);
            at[2] = (unsigned char)pixel;
        }
    file = newFile(name);
    put((const unsigned char *)"\x89PNG\r\n\x1a\n", 8);
    beginChunk("IHDR", 13);
    putNumber((unsigned)width);
    putNumber((unsigned)height);
    put((const unsigned char *)"\x08\x02\0\0\0", 5); /* 8 bits each of red, green and blue */
    endChunk();
    putData(data, (size_t)height * rowBytes);
    beginChunk("IEND", 0);
    endChunk();
    newFileMustKeep(&file, name);
}

void checkPngName(const char *option, const char *name)
{
    const size_t length = name != NULL ? strlen(name) : 0;

    if (name != NULL && (length < 5 || strcmp(name + length - 4, ".png") != 0))
        courseFail(EXIT_USAGE, "--%s %s: expected a file name that ends with .png", option, name);
}
