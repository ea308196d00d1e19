/* texture_fetch.h: a question to a texture, and the answer, between kernels and the runtime. */
#ifndef EMULATED_TEXTURE_FETCH_H
#define EMULATED_TEXTURE_FETCH_H
enum emulated_wanted { EMULATED_ANY, EMULATED_FLOATS, EMULATED_INTEGERS };
/* A fetch from a texture: the coordinates and the other arguments. */
struct emulated_fetch {
    float x, y, z;
    long long index; /* tex1Dfetch */
    float level;
    int layer, dimensions, gather; /* gather: component + 1 */
    int is_fetch, is_cube;
    int wants; /* by fetch(): an emulated_wanted */
};
union emulated_component {
    float f;
    int i;
    unsigned int u;
};
#endif
