/* The CPU baseline in one precision; cpu.c includes it once for float and once for double, with
 * `real` the type and FORM(name) the name of its form. Sums are in double in both. */

static void FORM(multiply)(const struct csr_matrix *matrix, const real *value, const real *x,
                           real *y, int all)
{
#pragma omp parallel for if (all)
    for (int i = 0; i < matrix->rows; i++) {
        real sum = 0;

        for (int k = matrix->rowStart[i]; k < matrix->rowStart[i + 1]; k++)
            sum += value[k] * x[matrix->column[k]];
        y[i] = sum;
    }
    (void)all; /* without OpenMP */
}

static double FORM(dot)(const real *x, const real *y, int n, int all)
{
    double sum = 0.0;

#pragma omp parallel for reduction(+ : sum) if (all)
    for (int i = 0; i < n; i++)
        sum += (double)x[i] * y[i];
    (void)all;
    return sum;
}

/* y = x + a y, or y = a x + y if `intoX` is 0: p = z + beta p and x = alpha p + x. */
static void FORM(combine)(real a, const real *x, real *y, int intoX, int n, int all)
{
#pragma omp parallel for if (all)
    for (int i = 0; i < n; i++)
        y[i] = intoX ? x[i] + a * y[i] : a * x[i] + y[i];
    (void)all;
}

/* z = M r with M = 1 / diagonal. */
static void FORM(scale)(const real *inverse, const real *r, real *z, int n, int all)
{
#pragma omp parallel for if (all)
    for (int i = 0; i < n; i++)
        z[i] = inverse[i] * r[i];
    (void)all;
}

/* Hestenes and Stiefel (1952), preconditioned. work: z (unless unpreconditioned), r, p, q,
 * 1/diagonal. */
static void FORM(iterate)(const struct cg_problem *problem, struct cg_solution *s,
                          real *const work[5], int most, int all)
{
    const struct csr_matrix *matrix = problem->matrix;
    const int n = matrix->rows, plain = s->preconditioner == UNPRECONDITIONED;
    const real *value = problem->value;
    real *x = s->x, *r = work[1], *p = work[2], *q = work[3], *z = plain ? r : work[0];
    double rr, rz, limit;

    memset(x, 0, (size_t)n * sizeof *x);
    memcpy(r, problem->b, (size_t)n * sizeof *r);
    if (!plain)
        FORM(scale)(work[4], r, z, n, all);
    memcpy(p, z, (size_t)n * sizeof *p);
    rr = FORM(dot)(r, r, n, all);
    rz = plain ? rr : FORM(dot)(r, z, n, all);
    limit = problem->tolerance * problem->tolerance * rr;
    s->iterations = 0;
    s->residual[0] = sqrt(rr);
    s->curvature = 1.0;
    while (s->iterations < most && rr > limit) {
        double old = rz, alpha;

        FORM(multiply)(matrix, value, p, q, all);
        s->curvature = FORM(dot)(p, q, n, all);
        if (!(s->curvature > 0.0))
            return;
        alpha = rz / s->curvature;
        FORM(combine)((real)alpha, p, x, 0, n, all);
        FORM(combine)((real)-alpha, q, r, 0, n, all);
        rr = FORM(dot)(r, r, n, all);
        if (!plain)
            FORM(scale)(work[4], r, z, n, all);
        rz = plain ? rr : FORM(dot)(r, z, n, all);
        FORM(combine)((real)(rz / old), z, p, 1, n, all);
        s->residual[++s->iterations] = sqrt(rr);
        cgProgress(s->iterations, s->residual[s->iterations], sqrt(limit));
    }
}

static void FORM(work)(const struct cg_problem *problem, real *work[5])
{
    const struct csr_matrix *matrix = problem->matrix;
    const real *value = problem->value;

    for (int i = 0; i < 5; i++)
        work[i] = newWork((size_t)matrix->rows * sizeof(real));
    for (int i = 0; i < matrix->rows; i++)
        for (int k = matrix->rowStart[i]; k < matrix->rowStart[i + 1]; k++)
            if (matrix->column[k] == i)
                work[4][i] = 1 / value[k];
}

static void FORM(solve)(const struct cg_problem *problem, struct cg_solution *solution, int all)
{
    real *work[5];

    FORM(work)(problem, work);
    MEASURE (run) {
        FORM(iterate)(problem, solution, work, problem->maxIterations, all);
    }
    for (int i = 0; i < 5; i++)
        free(work[i]);
}
