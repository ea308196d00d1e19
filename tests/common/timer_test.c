/* cuda_utils.h without CUDA, compiled as C and as C++: the timer sees a pause of known length. */
#include "cuda_utils.h"

int main(void)
{
    const struct timespec pause = {0, 20 * 1000 * 1000};
    Timer timer;
    double before, after;

    initTimer(&timer);
    before = getTimer(&timer);
    if (nanosleep(&pause, NULL) != 0)
        return 77; /* a signal cut it short */
    after = getTimer(&timer);
    if (!(before >= 0.0 && before < after && after - before >= 0.02 && after < 30.0)) {
        printf("the timer showed %g s, then %g s after a pause of 0.02 s\n", before, after);
        return 1;
    }
    initTimer(&timer);
    if (!(getTimer(&timer) < after)) {
        printf("initTimer did not start afresh\n");
        return 1;
    }
    return 0;
}
