// cusparse.cpp: y = alpha A x + beta y for a matrix in CSR or COO, the same for a dense matrix in
// place of x, and the product of two sparse matrices.
#include "cusparse.h"

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "library.h"
#include "objects.h"
#include "streams.h"

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t mode;
};
struct cusparseSpMatDescr {
    int64_t rows, columns, nonzeros;
    void *offsets, *indices, *values;
    cusparseIndexType_t offset_type, index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    bool coo; // `offsets` are the rows of the elements
};
struct cusparseDnMatDescr {
    int64_t rows, columns, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    int64_t place(int64_t i, int64_t j) const
    {
        return order == CUSPARSE_ORDER_ROW ? i * ld + j : j * ld + i;
    }
    int64_t span() const // in elements
    {
        return rows && columns ? place(rows - 1, columns - 1) + 1 : 0;
    }
};
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};

// A product of sparse matrices between its steps, with indices from 0
struct cusparseSpGEMMDescr {
    int64_t products; // of two elements; -1: nobody has asked yet
    std::vector<int64_t> offsets, columns;
    std::vector<double> values;
};

struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseIndexBase_t base;
};

namespace emulated
{

static std::set<cusparseHandle_t> handles EMULATED_EARLY;
static bool is_handle(cusparseHandle_t h) { return handles.count(h) != 0; }

template <class T> static cusparseStatus_t destroyed(Object kind, T *object)
{
    object_ended(kind, object);
    delete object;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t status_of(cudaError_t error) // of an operation
{
    return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

static u64 index_bytes(cusparseIndexType_t t) { return t == CUSPARSE_INDEX_64I ? 8 : 4; }
static u64 value_bytes(cudaDataType t) { return t == CUDA_R_64F ? 8 : 4; }

static int64_t index_at(const void *p, cusparseIndexType_t type, int64_t i)
{
    return type == CUSPARSE_INDEX_64I ? ((const int64_t *)p)[i] : ((const int32_t *)p)[i];
}

static void set_index(void *p, cusparseIndexType_t type, int64_t i, int64_t value)
{
    if (type == CUSPARSE_INDEX_64I)
        ((int64_t *)p)[i] = value;
    else
        ((int32_t *)p)[i] = (int32_t)value;
}

// The places of a row's elements in CSR: from `begin` on, before `end`
struct Places {
    int64_t begin, end;
};
static Places places_of_row(const cusparseSpMatDescr &a, int64_t row)
{
    return {index_at(a.offsets, a.offset_type, row) - a.base,
            index_at(a.offsets, a.offset_type, row + 1) - a.base};
}

// The elements: row, column, and the place of the value
template <class F> static void each_element(const cusparseSpMatDescr &a, F f)
{
    for (int64_t k = 0; a.coo && k < a.nonzeros; k++)
        f(index_at(a.offsets, a.offset_type, k) - a.base,
          index_at(a.indices, a.index_type, k) - a.base, k);
    for (int64_t row = 0; !a.coo && row < a.rows; row++) {
        const Places of_row = places_of_row(a, row);
        for (int64_t k = of_row.begin; k < of_row.end; k++)
            f(row, index_at(a.indices, a.index_type, k) - a.base, k);
    }
}

template <class T>
static void multiply(const cusparseSpMatDescr &a, bool transposed, T alpha, const T *x, T beta,
                     T *y, int64_t results)
{
    std::vector<double> sums((size_t)results, 0.0);
    const T *values = (const T *)a.values;
    each_element(a, [&](int64_t row, int64_t column, int64_t k) {
        sums[(size_t)(transposed ? column : row)] +=
            (double)values[k] * (double)x[transposed ? row : column];
    });
    for (int64_t i = 0; i < results; i++)
        y[i] = (T)(alpha * (T)sums[(size_t)i] + (beta != T(0) ? beta * y[i] : T(0)));
    now_initialised(y, (u64)results * sizeof(T));
}

// A matrix with an index outside itself would make us read anywhere.
static bool consistent(const cusparseSpMatDescr &a)
{
    for (int64_t row = 0; !a.coo && row < a.rows; row++) {
        const Places of_row = places_of_row(a, row);
        if (of_row.begin < 0 || of_row.end < of_row.begin || of_row.end > a.nonzeros)
            return false;
    }
    bool inside = true;
    each_element(a, [&](int64_t row, int64_t column, int64_t) {
        inside &= row >= 0 && row < a.rows && column >= 0 && column < a.columns;
    });
    return inside;
}

static bool has_arrays(const cusparseSpMatDescr &a, const char *call, Pc place)
{
    const u64 offsets = (u64)(a.coo ? a.nonzeros : a.rows + 1);
    return device_array(a.offsets, offsets * index_bytes(a.offset_type), call,
                        a.coo ? "the row indices" : "the row offsets", place) &&
           device_array(a.indices, (u64)a.nonzeros * index_bytes(a.index_type), call,
                        "the column indices", place) &&
           device_array(a.values, (u64)a.nonzeros * value_bytes(a.type), call, "the values", place);
}

static void read_array(const void *p, int64_t elements, u64 each, const char *call, Pc place)
{
    touch((u64)p, (u64)elements * each, kRead);
    must_have_values(p, (u64)elements * each, (u32)each, call, place);
}

static bool report_unless_consistent(const cusparseSpMatDescr &a, const char *call, Pc place)
{
    read_array(a.offsets, a.coo ? a.nonzeros : a.rows + 1, index_bytes(a.offset_type), call, place);
    read_array(a.indices, a.nonzeros, index_bytes(a.index_type), call, place);
    const bool good = consistent(a);
    if (!good)
        report({"out-of-bounds", place, nullptr, "the matrix",
                std::string(call) + ": a row " + (a.coo ? "" : "offset ") +
                    "or column index of the matrix lies outside it",
                0});
    return good;
}

static double read_number(const void *p, cudaDataType type)
{
    return type == CUDA_R_64F ? *(const double *)p : (double)*(const float *)p;
}

// Only the elements are touched: what lies between the columns, or rows, may be somebody else's.
static void use_dense(const cusparseDnMatDescr &m, u8 flags, const char *call, Pc place)
{
    const u64 each = value_bytes(m.type);
    const bool by_row = m.order == CUSPARSE_ORDER_ROW;
    for (int64_t i = 0; i < (by_row ? m.rows : m.columns); i++) {
        char *begin = (char *)m.values + (u64)(i * m.ld) * each;
        const u64 bytes = (u64)(by_row ? m.columns : m.rows) * each;
        if (flags & kWrite)
            now_initialised(begin, bytes);
        else
            read_array(begin, (int64_t)(bytes / each), each, call, place);
    }
}

template <class T>
static void multiply_dense(const cusparseSpMatDescr &a, bool ta, T alpha,
                           const cusparseDnMatDescr &b, bool tb, T beta,
                           const cusparseDnMatDescr &c)
{
    std::vector<double> sums((size_t)(c.rows * c.columns), 0.0);
    const T *values = (const T *)a.values, *dense = (const T *)b.values;
    T *out = (T *)c.values;
    each_element(a, [&](int64_t row, int64_t column, int64_t k) {
        const int64_t i = ta ? column : row, from = ta ? row : column;
        for (int64_t j = 0; j < c.columns; j++)
            sums[(size_t)(i * c.columns + j)] +=
                (double)values[k] * (double)dense[tb ? b.place(j, from) : b.place(from, j)];
    });
    for (int64_t i = 0; i < c.rows; i++)
        for (int64_t j = 0; j < c.columns; j++) {
            T &x = out[c.place(i, j)];
            x = (T)(alpha * (T)sums[(size_t)(i * c.columns + j)] +
                    (beta != T(0) ? beta * x : T(0)));
        }
}

template <class T> static void write_out(const cusparseSpMatDescr &a, const cusparseDnMatDescr &b)
{
    T *out = (T *)b.values;
    for (int64_t i = 0; i < b.rows; i++)
        for (int64_t j = 0; j < b.columns; j++)
            out[b.place(i, j)] = T(0);
    each_element(a, [&](int64_t row, int64_t column, int64_t k) {
        out[b.place(row, column)] = ((const T *)a.values)[k];
    });
}

} // namespace emulated

using namespace emulated;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    if (!handle)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *handle = new cusparseContext();
    handles.insert(*handle);
    object_created(kSparse, *handle, __builtin_return_address(0));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    if (handle && !handles.erase(handle))
        return CUSPARSE_STATUS_INVALID_VALUE;
    return destroyed(kSparse, handle);
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    if (!is_handle(handle) || !version)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    if (!is_handle(handle))
        return CUSPARSE_STATUS_INVALID_VALUE;
    handle->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    if (!is_handle(handle))
        return CUSPARSE_STATUS_INVALID_VALUE;
    handle->mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    switch (status) {
    case CUSPARSE_STATUS_SUCCESS: return "CUSPARSE_STATUS_SUCCESS";
    case CUSPARSE_STATUS_NOT_INITIALIZED: return "CUSPARSE_STATUS_NOT_INITIALIZED";
    case CUSPARSE_STATUS_INVALID_VALUE: return "CUSPARSE_STATUS_INVALID_VALUE";
    case CUSPARSE_STATUS_EXECUTION_FAILED: return "CUSPARSE_STATUS_EXECUTION_FAILED";
    case CUSPARSE_STATUS_NOT_SUPPORTED: return "CUSPARSE_STATUS_NOT_SUPPORTED";
    default: return "an unknown cuSPARSE status";
    }
}
const char *cusparseGetErrorString(cusparseStatus_t status) { return cusparseGetErrorName(status); }

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nonzeros, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    const bool too_many =
        rows == 0 || columns == 0 ? nonzeros > 0 : (nonzeros - 1) / rows >= columns;
    if (!matrix || rows < 0 || columns < 0 || nonzeros < 0 || too_many)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if ((type != CUDA_R_32F && type != CUDA_R_64F) || offset_type == CUSPARSE_INDEX_16U ||
        index_type == CUSPARSE_INDEX_16U)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    *matrix = new cusparseSpMatDescr{rows,        columns,    nonzeros, offsets, indices, values,
                                     offset_type, index_type, base,     type,    false};
    object_created(kSparseMatrix, *matrix, __builtin_return_address(0));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nonzeros, void *row_indices, void *indices, void *values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType type)
{
    const cusparseStatus_t status =
        cusparseCreateCsr(matrix, rows, columns, nonzeros, row_indices, indices, values, index_type,
                          index_type, base, type);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    (*matrix)->coo = true;
    // here, not in cusparseCreateCsr()
    object_created(kSparseMatrix, *matrix, __builtin_return_address(0));
    return status;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *columns, int64_t *nonzeros)
{
    if (!matrix || !rows || !columns || !nonzeros)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *rows = matrix->rows;
    *columns = matrix->columns;
    *nonzeros = matrix->nonzeros;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values)
{
    if (!matrix || !values)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *values = matrix->values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values)
{
    if (!matrix || !values)
        return CUSPARSE_STATUS_INVALID_VALUE;
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values)
{
    if (!matrix || matrix->coo || !offsets || (matrix->nonzeros > 0 && (!indices || !values)))
        return CUSPARSE_STATUS_INVALID_VALUE;
    matrix->offsets = offsets;
    matrix->indices = indices;
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
    return destroyed(kSparseMatrix, matrix);
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type)
{
    if (!vector || size < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *vector = new cusparseDnVecDescr{size, values, type};
    object_created(kDenseVector, *vector, __builtin_return_address(0));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
    return destroyed(kDenseVector, vector);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values)
{
    if (!vector)
        return CUSPARSE_STATUS_INVALID_VALUE;
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values)
{
    if (!vector || !values)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *values = vector->values;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t buffer_size(cusparseHandle_t handle, size_t *size)
{
    if (!is_handle(handle) || !size)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *size = 8; // not used, but callers allocate it as for a GPU
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         const void *, cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, size_t *size)
{
    return buffer_size(handle, size);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         const void *, cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, void *)
{
    return is_handle(handle) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void *alpha, cusparseConstSpMatDescr_t matrix,
                              cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpMVAlg_t, void *)
{
    Pc place = __builtin_return_address(0);
    if (!is_handle(handle))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!matrix || !x || !y)
        return CUSPARSE_STATUS_INVALID_VALUE;
    bool transposed = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpMatDescr a = *matrix;
    if (matrix->type != type || x->type != type || y->type != type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (x->size != (transposed ? a.rows : a.columns) ||
        y->size != (transposed ? a.columns : a.rows))
        return CUSPARSE_STATUS_INVALID_VALUE;
    const char *call = "cusparseSpMV";
    u64 each = value_bytes(type);
    bool on_device = handle->mode == CUSPARSE_POINTER_MODE_DEVICE;
    bool good = scalar_argument(alpha, each, on_device, call, "alpha", place) &&
                scalar_argument(beta, each, on_device, call, "beta", place) &&
                has_arrays(a, call, place) &&
                device_array(x->values, (u64)x->size * each, call, "x", place) &&
                device_array(y->values, (u64)y->size * each, call, "y", place);
    if (!good)
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    // Host scalars are read now, as a GPU would take them along with the launch.
    double al = 0, be = 0;
    if (!on_device) {
        al = read_number(alpha, type);
        be = read_number(beta, type);
    }
    const void *from = x->values;
    void *to = y->values;
    const int64_t results = y->size, columns = x->size;
    cudaError_t error = submit(handle->stream, place, call, [=] {
        read_array(from, columns, each, call, place);
        read_array(a.values, a.nonzeros, each, call, place);
        touch((u64)to, (u64)results * each, kWrite);
        counters_library_call();
        if (!report_unless_consistent(a, call, place))
            return fail(cudaErrorIllegalAddress);
        double factor = on_device ? read_number(alpha, type) : al,
               old = on_device ? read_number(beta, type) : be;
        if (old != 0)
            read_array(to, results, each, call, place);
        if (type == CUDA_R_64F)
            multiply(a, transposed, factor, (const double *)from, old, (double *)to, results);
        else
            multiply(a, transposed, (float)factor, (const float *)from, (float)old, (float *)to,
                     results);
        return cudaSuccess;
    });
    return status_of(error);
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order)
{
    if (!matrix || rows < 0 || columns < 0 || ld < (order == CUSPARSE_ORDER_ROW ? columns : rows))
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (type != CUDA_R_32F && type != CUDA_R_64F)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    *matrix = new cusparseDnMatDescr{rows, columns, ld, values, type, order};
    object_created(kDenseMatrix, *matrix, __builtin_return_address(0));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
{
    return destroyed(kDenseMatrix, matrix);
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         const void *, cusparseDnMatDescr_t, cudaDataType,
                                         cusparseSpMMAlg_t, size_t *size)
{
    return buffer_size(handle, size);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         const void *, cusparseDnMatDescr_t, cudaDataType,
                                         cusparseSpMMAlg_t, void *)
{
    return is_handle(handle) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                              cusparseOperation_t op_b, const void *alpha,
                              cusparseConstSpMatDescr_t matrix, cusparseConstDnMatDescr_t dense,
                              const void *beta, cusparseDnMatDescr_t result, cudaDataType type,
                              cusparseSpMMAlg_t, void *)
{
    Pc place = __builtin_return_address(0);
    const char *call = "cusparseSpMM";
    if (!is_handle(handle) || !matrix || !dense || !result)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const cusparseSpMatDescr a = *matrix;
    const cusparseDnMatDescr b = *dense, c = *result;
    const bool ta = op_a != CUSPARSE_OPERATION_NON_TRANSPOSE,
               tb = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (a.type != type || b.type != type || c.type != type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (c.rows != (ta ? a.columns : a.rows) || c.columns != (tb ? b.rows : b.columns) ||
        (ta ? a.rows : a.columns) != (tb ? b.columns : b.rows))
        return CUSPARSE_STATUS_INVALID_VALUE;
    const u64 each = value_bytes(type);
    const bool on_device = handle->mode == CUSPARSE_POINTER_MODE_DEVICE;
    if (!scalar_argument(alpha, each, on_device, call, "alpha", place) ||
        !scalar_argument(beta, each, on_device, call, "beta", place) ||
        !has_arrays(a, call, place) ||
        !device_array(b.values, (u64)b.span() * each, call, "B", place) ||
        !device_array(c.values, (u64)c.span() * each, call, "C", place))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const double al = on_device ? 0 : read_number(alpha, type),
                 be = on_device ? 0 : read_number(beta, type);
    const cudaError_t error = submit(handle->stream, place, call, [=] {
        read_array(a.values, a.nonzeros, each, call, place);
        use_dense(b, kRead, call, place);
        use_dense(c, kWrite, call, place);
        counters_library_call();
        if (!report_unless_consistent(a, call, place))
            return fail(cudaErrorIllegalAddress);
        const double factor = on_device ? read_number(alpha, type) : al,
                     old = on_device ? read_number(beta, type) : be;
        if (type == CUDA_R_64F)
            multiply_dense(a, ta, factor, b, tb, old, c);
        else
            multiply_dense(a, ta, (float)factor, b, tb, (float)old, c);
        return cudaSuccess;
    });
    return status_of(error);
}

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr)
{
    if (!descr)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *descr = new cusparseSpGEMMDescr{-1, {}, {}, {}};
    object_created(kSparseProduct, *descr, __builtin_return_address(0));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr)
{
    return destroyed(kSparseProduct, descr);
}

// What all steps demand of their arguments
static cusparseStatus_t check_product(cusparseHandle_t handle, cusparseOperation_t op_a,
                                      cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                      cusparseConstSpMatDescr_t b, cusparseConstSpMatDescr_t c,
                                      cudaDataType type, cusparseSpGEMMDescr_t descr)
{
    if (!is_handle(handle) || !a || !b || !c || !descr || a->columns != b->rows ||
        c->rows != a->rows || c->columns != b->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || op_b != CUSPARSE_OPERATION_NON_TRANSPOSE ||
        a->coo || b->coo || c->coo || a->type != type || b->type != type || c->type != type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return CUSPARSE_STATUS_SUCCESS;
}

// Submits what a step does with the matrices, once their arrays are known to be good, and waits:
// the host wants a number.
static cusparseStatus_t with_factors(cusparseHandle_t handle, const cusparseSpMatDescr &a,
                                     const cusparseSpMatDescr &b, const char *call, Pc place,
                                     const std::function<void()> &f)
{
    if (!has_arrays(a, call, place) || !has_arrays(b, call, place))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const cudaError_t error = submit(handle->stream, place, call, [=] {
        for (const cusparseSpMatDescr *m : {&a, &b})
            read_array(m->values, m->nonzeros, value_bytes(m->type), call, place);
        counters_library_call();
        if (!report_unless_consistent(a, call, place) || !report_unless_consistent(b, call, place))
            return fail(cudaErrorIllegalAddress);
        f();
        return cudaSuccess;
    });
    return status_of(error == cudaSuccess ? cudaStreamSynchronize(handle->stream) : error);
}

cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *, cusparseSpMatDescr_t c,
    cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t *size, void *buffer)
{
    Pc place = __builtin_return_address(0);
    const char *call = "cusparseSpGEMM_workEstimation";
    const cusparseStatus_t status = check_product(handle, op_a, op_b, a, b, c, type, descr);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!buffer)
        return buffer_size(handle, size);
    const cusparseSpMatDescr of_a = *a, of_b = *b;
    return with_factors(handle, of_a, of_b, call, place, [=] {
        descr->products = 0;
        each_element(of_a, [&](int64_t, int64_t column, int64_t) {
            const Places of_row = places_of_row(of_b, column);
            descr->products += of_row.end - of_row.begin;
        });
    });
}
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t *products)
{
    if (!descr || !products || descr->products < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *products = descr->products;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void *,
                                               cusparseConstSpMatDescr_t a,
                                               cusparseConstSpMatDescr_t b, const void *,
                                               cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                               float, size_t *size3, void *buffer3, size_t *size2)
{
    const cusparseStatus_t status = check_product(handle, op_a, op_b, a, b, c, type, descr);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    return buffer_size(handle, buffer3 ? size2 : size3);
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void *alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                        size_t *size, void *buffer)
{
    Pc place = __builtin_return_address(0);
    const char *call = "cusparseSpGEMM_compute";
    cusparseStatus_t status = check_product(handle, op_a, op_b, a, b, c, type, descr);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!buffer)
        return buffer_size(handle, size);
    const u64 each = value_bytes(type);
    const bool on_device = handle->mode == CUSPARSE_POINTER_MODE_DEVICE;
    if (!scalar_argument(alpha, each, on_device, call, "alpha", place) ||
        !scalar_argument(beta, each, on_device, call, "beta", place))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const cusparseSpMatDescr of_a = *a, of_b = *b;
    status = with_factors(handle, of_a, of_b, call, place, [=] {
        auto value = [&](const cusparseSpMatDescr &m, int64_t k) {
            return read_number((const char *)m.values + (u64)k * each, type);
        };
        std::vector<std::map<int64_t, double>> rows((size_t)of_a.rows);
        each_element(of_a, [&](int64_t row, int64_t between, int64_t k) {
            const Places of_row = places_of_row(of_b, between);
            for (int64_t l = of_row.begin; l < of_row.end; l++)
                rows[(size_t)row][index_at(of_b.indices, of_b.index_type, l) - of_b.base] +=
                    value(of_a, k) * value(of_b, l);
        });
        const double factor = read_number(alpha, type);
        *descr = {descr->products, {0}, {}, {}};
        for (const auto &row : rows) {
            for (const auto &element : row) {
                descr->columns.push_back(element.first);
                descr->values.push_back(factor * element.second);
            }
            descr->offsets.push_back((int64_t)descr->columns.size());
        }
    });
    if (status == CUSPARSE_STATUS_SUCCESS)
        c->nonzeros = (int64_t)descr->columns.size();
    return status;
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void *,
                                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void *, cusparseSpMatDescr_t c, cudaDataType type,
                                     cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr)
{
    Pc place = __builtin_return_address(0);
    const char *call = "cusparseSpGEMM_copy";
    const cusparseStatus_t status = check_product(handle, op_a, op_b, a, b, c, type, descr);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (descr->offsets.empty() || c->nonzeros != (int64_t)descr->columns.size())
        return CUSPARSE_STATUS_INVALID_VALUE; // nothing has been computed
    const cusparseSpMatDescr to = *c;
    if (!has_arrays(to, call, place))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const cudaError_t error = submit(handle->stream, place, call, [=] {
        for (int64_t i = 0; i <= to.rows; i++)
            set_index(to.offsets, to.offset_type, i, descr->offsets[(size_t)i] + to.base);
        for (int64_t k = 0; k < to.nonzeros; k++) {
            set_index(to.indices, to.index_type, k, descr->columns[(size_t)k] + to.base);
            if (type == CUDA_R_64F)
                ((double *)to.values)[k] = descr->values[(size_t)k];
            else
                ((float *)to.values)[k] = (float)descr->values[(size_t)k];
        }
        const std::pair<void *, u64> arrays[] = {
            {to.offsets, (u64)(to.rows + 1) * index_bytes(to.offset_type)},
            {to.indices, (u64)to.nonzeros * index_bytes(to.index_type)},
            {to.values, (u64)to.nonzeros * value_bytes(type)}};
        for (const auto &array : arrays) {
            touch((u64)array.first, array.second, kWrite);
            now_initialised(array.first, array.second);
        }
        counters_library_call();
        return cudaSuccess;
    });
    return status_of(error);
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t, cusparseDnMatDescr_t,
                                                  cusparseSparseToDenseAlg_t, size_t *size)
{
    return buffer_size(handle, size);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matrix,
                                       cusparseDnMatDescr_t result, cusparseSparseToDenseAlg_t,
                                       void *)
{
    Pc place = __builtin_return_address(0);
    const char *call = "cusparseSparseToDense";
    if (!is_handle(handle) || !matrix || !result || matrix->rows != result->rows ||
        matrix->columns != result->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const cusparseSpMatDescr a = *matrix;
    const cusparseDnMatDescr b = *result;
    if (a.type != b.type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    const u64 each = value_bytes(a.type);
    if (!has_arrays(a, call, place) ||
        !device_array(b.values, (u64)b.span() * each, call, "B", place))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const cudaError_t error = submit(handle->stream, place, call, [=] {
        read_array(a.values, a.nonzeros, each, call, place);
        use_dense(b, kWrite, call, place);
        counters_library_call();
        if (!report_unless_consistent(a, call, place))
            return fail(cudaErrorIllegalAddress);
        if (a.type == CUDA_R_64F)
            write_out<double>(a, b);
        else
            write_out<float>(a, b);
        return cudaSuccess;
    });
    return status_of(error);
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr)
{
    if (!descr)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *descr = new cusparseMatDescr{CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_INDEX_BASE_ZERO};
    object_created(kMatrixDescriptor, *descr, __builtin_return_address(0));
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr)
{
    return destroyed(kMatrixDescriptor, descr);
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type)
{
    if (!descr)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    descr->type = type;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base)
{
    if (!descr)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    descr->base = base;
    return CUSPARSE_STATUS_SUCCESS;
}

// A symmetric matrix is stored in part, which no course asks for.
static cusparseStatus_t csrmv(cusparseHandle_t handle, cusparseOperation_t operation, int rows,
                              int columns, int nonzeros, const void *alpha,
                              cusparseMatDescr_t descr, const void *values, const int *offsets,
                              const int *indices, const void *x, const void *beta, void *y,
                              cudaDataType type)
{
    if (!descr || rows < 0 || columns < 0 || nonzeros < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    bool transposed = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
    cusparseSpMatDescr a = {rows,
                            columns,
                            nonzeros,
                            (void *)offsets,
                            (void *)indices,
                            (void *)values,
                            CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I,
                            descr->base,
                            type,
                            false};
    cusparseDnVecDescr from = {transposed ? rows : columns, (void *)x, type};
    cusparseDnVecDescr to = {transposed ? columns : rows, y, type};
    return cusparseSpMV(handle, operation, alpha, &a, &from, beta, &to, type,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
}
cusparseStatus_t cusparseScsrmv(cusparseHandle_t handle, cusparseOperation_t operation, int rows,
                                int columns, int nonzeros, const float *alpha,
                                cusparseMatDescr_t descr, const float *values, const int *offsets,
                                const int *indices, const float *x, const float *beta, float *y)
{
    return csrmv(handle, operation, rows, columns, nonzeros, alpha, descr, values, offsets, indices,
                 x, beta, y, CUDA_R_32F);
}
cusparseStatus_t cusparseDcsrmv(cusparseHandle_t handle, cusparseOperation_t operation, int rows,
                                int columns, int nonzeros, const double *alpha,
                                cusparseMatDescr_t descr, const double *values, const int *offsets,
                                const int *indices, const double *x, const double *beta, double *y)
{
    return csrmv(handle, operation, rows, columns, nonzeros, alpha, descr, values, offsets, indices,
                 x, beta, y, CUDA_R_64F);
}

} // extern "C"
