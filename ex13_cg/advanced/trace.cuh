/* Reports to the host the progress of a solve that runs ahead on the device. */
#ifndef TRACE_CUH
#define TRACE_CUH

#include "cg.h"
#include "cuda_utils.h"
#include <math.h>

enum { CHECK = 25 }; /* iterations between two looks at the residual */

/* Takes the entries of the trace up to number k to the host; entry k: (r.r after k iterations, p.q
 * of the last of them). Returns 1 if the solve ends there. */
static int readTrace(const double2 *d_trace, int k, const struct cg_problem *problem,
                     struct cg_solution *s)
{
    const int first = s->iterations + 1, count = k - s->iterations;
    double2 trace[CHECK + 1];
    int i;

    cudaVerify(cudaMemcpy(trace, d_trace + first, count * sizeof *trace, cudaMemcpyDeviceToHost));
    if (first == 0)
        s->limit = problem->tolerance * problem->tolerance * trace[0].x;
    for (i = 0; i < count; i++) {
        s->curvature = trace[i].y;
        if (!(s->curvature > 0.0))
            return 1; /* not positive definite, or no numbers any more */
        s->residual[++s->iterations] = sqrt(trace[i].x);
        if (!(trace[i].x > s->limit))
            return 1;
    }
    cgProgress(k, s->residual[k], sqrt(s->limit));
    return k == problem->maxIterations;
}

#endif
