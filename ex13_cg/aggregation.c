/* TASK     coarser and coarser systems for a multigrid preconditioner: rows are joined in pairs,
 *          twice, so that about four make one of the next level.
 * TRAFFIC  each level's matrix a few times; the levels together are 4/3 of the first.
 * LIMIT    once a matrix, on one core. */
#include "aggregation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Joins every row with the neighbour that it depends on most, if that one is still free: pair[i] is
 * the number of row i's pair. Returns how many there are. */
static int pairRows(const struct csr_matrix *a, int *pair)
{
    int count = 0;

    for (int i = 0; i < a->rows; i++)
        pair[i] = -1;
    for (int i = 0; i < a->rows; i++) {
        double strongest = 0.0, any = 0.0;
        int partner = -1;

        if (pair[i] >= 0)
            continue;
        for (int k = a->rowStart[i]; k < a->rowStart[i + 1]; k++) {
            const int j = a->column[k];

            if (j == i)
                continue;
            any = fmax(any, fabs(a->value[k]));
            if (pair[j] < 0 && fabs(a->value[k]) > strongest) {
                strongest = fabs(a->value[k]);
                partner = j;
            }
        }
        pair[i] = count;
        if (partner >= 0 && strongest >= 0.25 * any) /* a weak neighbour is none */
            pair[partner] = count;
        count++;
    }
    return count;
}

/* The rows of every aggregate, by counting. */
static int listMembers(const int *aggregate, int rows, int coarseRows, int **memberStart,
                       int **member)
{
    int *start = calloc((size_t)coarseRows + 2, sizeof *start);

    *memberStart = start;
    *member = malloc((size_t)rows * sizeof **member);
    if (start == NULL || *member == NULL)
        return -1;
    for (int i = 0; i < rows; i++)
        start[aggregate[i] + 2]++;
    for (int j = 0; j < coarseRows; j++)
        start[j + 2] += start[j + 1];
    for (int i = 0; i < rows; i++)
        (*member)[start[aggregate[i] + 1]++] = i;
    return 0;
}

/* Galerkin's coarse matrix for piecewise constant vectors: entry (I, J) is the sum of all a[i][j]
 * with i in I and j in J. where[J] is the place of column J in the row under way. */
static int coarsen(const struct csr_matrix *a, const int *aggregate, const int *memberStart,
                   const int *member, int coarseRows, struct csr_matrix *coarse)
{
    int *where = malloc((size_t)coarseRows * sizeof *where);
    int n = 0;

    coarse->rows = coarseRows;
    coarse->rowStart = malloc(((size_t)coarseRows + 1) * sizeof *coarse->rowStart);
    coarse->column = malloc((size_t)a->nonzeros * sizeof *coarse->column);
    coarse->value = malloc((size_t)a->nonzeros * sizeof *coarse->value);
    if (where == NULL || coarse->rowStart == NULL || coarse->column == NULL ||
        coarse->value == NULL) {
        free(where);
        return -1;
    }
    for (int j = 0; j < coarseRows; j++)
        where[j] = -1;
    for (int row = 0; row < coarseRows; row++) {
        const int begin = coarse->rowStart[row] = n;

        for (int m = memberStart[row]; m < memberStart[row + 1]; m++)
            for (int k = a->rowStart[member[m]]; k < a->rowStart[member[m] + 1]; k++) {
                const int column = aggregate[a->column[k]];

                if (where[column] < begin) {
                    where[column] = n;
                    coarse->column[n] = column;
                    coarse->value[n++] = 0.0;
                }
                coarse->value[where[column]] += a->value[k];
            }
    }
    coarse->rowStart[coarseRows] = coarse->nonzeros = n;
    free(where);
    return 0; /* column and value stay longer than need be: the next level needs a quarter */
}

/* Two rounds of pairs: from fine to coarse. */
static int joinRows(struct level *fine, struct csr_matrix *coarse)
{
    const int rows = fine->matrix.rows;
    int *pair = malloc((size_t)rows * sizeof *pair), *start = NULL, *member = NULL, status = -1;
    struct csr_matrix half = {0, 0, NULL, NULL, NULL};

    memset(coarse, 0, sizeof *coarse);
    fine->aggregate = malloc((size_t)rows * sizeof *fine->aggregate);
    if (pair != NULL && fine->aggregate != NULL) {
        const int halfRows = pairRows(&fine->matrix, fine->aggregate);

        if (listMembers(fine->aggregate, rows, halfRows, &start, &member) == 0 &&
            coarsen(&fine->matrix, fine->aggregate, start, member, halfRows, &half) == 0) {
            fine->coarseRows = pairRows(&half, pair);
            for (int i = 0; i < rows; i++)
                fine->aggregate[i] = pair[fine->aggregate[i]];
            if (listMembers(fine->aggregate, rows, fine->coarseRows, &fine->memberStart,
                            &fine->member) == 0)
                status = coarsen(&fine->matrix, fine->aggregate, fine->memberStart, fine->member,
                                 fine->coarseRows, coarse);
        }
    }
    free(pair);
    free(start);
    free(member);
    csrFree(&half);
    return status;
}

static void forget(struct level *level)
{
    free(level->aggregate);
    free(level->memberStart);
    free(level->member);
    level->aggregate = level->memberStart = level->member = NULL;
}

int levelsBuild(struct level *level, const struct csr_matrix *matrix)
{
    int count = 1;

    memset(level, 0, LEVELS * sizeof *level);
    level[0].matrix = *matrix;
    while (count < LEVELS && level[count - 1].matrix.rows > 1) {
        struct level *fine = &level[count - 1];

        if (joinRows(fine, &level[count].matrix) != 0) {
            levelsFree(level, count + 1);
            return -1;
        }
        if (fine->coarseRows > 0.8 * fine->matrix.rows) { /* not worth another level */
            csrFree(&level[count].matrix);
            forget(fine);
            break;
        }
        count++;
    }
    return count;
}

void levelsFree(struct level *level, int count)
{
    for (int l = 0; l < count; l++) {
        forget(&level[l]);
        if (l > 0)
            csrFree(&level[l].matrix);
    }
}
