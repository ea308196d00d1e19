// cublaslt.cpp: cuBLASLt's product of matrices, described by attributes. One algorithm, which needs
// no workspace.
#include "cublasLt.h"

#include <climits>
#include <cstddef>

#include "product.h"

namespace emulated
{

// ---- descriptors: attributes, each with its number and size, in the caller's or our memory ------

struct Layout {
    int type, order;
    u64 rows, columns;
    int64_t ld;
    int batch, unused;
    int64_t stride, plane;
};
struct Matmul {
    int compute, scale, mode, op_a, op_b, op_c, fill, epilogue;
    void *bias;
    int64_t bias_stride;
    void *aux;
    int64_t aux_ld, aux_stride, alpha_stride;
    int sm_count;
    void *scale_a, *scale_b, *scale_c, *scale_d, *amax_d;
    int aux_type;
    void *aux_scale, *aux_amax;
    int8_t fast;
    int bias_type;
};
struct Preference {
    int search;
    u64 workspace;
    u32 reduction, alignment[4];
    float waves;
    u64 numerical;
};
struct Transform {
    int scale, mode, op_a, op_b;
};

struct Attribute {
    int number;
    size_t offset, bytes;
};
#define ATTRIBUTE(number, Type, member)                                                            \
    {                                                                                              \
        number, offsetof(Type, member), sizeof(Type::member)                                       \
    }
static const Attribute layout_attributes[] = {
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_TYPE, Layout, type),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ORDER, Layout, order),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ROWS, Layout, rows),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_COLS, Layout, columns),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_LD, Layout, ld),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Layout, batch),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Layout, stride),
    ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, Layout, plane)};
static const Attribute matmul_attributes[] = {
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, Matmul, compute),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_SCALE_TYPE, Matmul, scale),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_POINTER_MODE, Matmul, mode),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSA, Matmul, op_a),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSB, Matmul, op_b),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSC, Matmul, op_c),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_FILL_MODE, Matmul, fill),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE, Matmul, epilogue),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_POINTER, Matmul, bias),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, Matmul, bias_stride),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Matmul, aux),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, Matmul, aux_ld),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, Matmul, aux_stride),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, Matmul, alpha_stride),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, Matmul, sm_count),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, Matmul, scale_a),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, Matmul, scale_b),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, Matmul, scale_c),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, Matmul, scale_d),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, Matmul, amax_d),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, Matmul, aux_type),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, Matmul, aux_scale),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, Matmul, aux_amax),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_FAST_ACCUM, Matmul, fast),
    ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Matmul, bias_type)};
static const Attribute preference_attributes[] = {
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_SEARCH_MODE, Preference, search),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Preference, workspace),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, Preference, reduction),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, Preference, alignment[0]),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, Preference, alignment[1]),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, Preference, alignment[2]),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, Preference, alignment[3]),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, Preference, waves),
    ATTRIBUTE(CUBLASLT_MATMUL_PREF_IMPL_MASK, Preference, numerical)};
static const Attribute transform_attributes[] = {
    ATTRIBUTE(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, Transform, scale),
    ATTRIBUTE(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, Transform, mode),
    ATTRIBUTE(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, Transform, op_a),
    ATTRIBUTE(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, Transform, op_b)};
// The configuration of an algorithm means nothing here; its number does.
static const Attribute algorithm_attributes[] = {{CUBLASLT_ALGO_CONFIG_ID, 0, 4},
                                                 {CUBLASLT_ALGO_CONFIG_TILE_ID, 4, 4},
                                                 {CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 8, 4},
                                                 {CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 12, 4},
                                                 {CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 16, 4},
                                                 {CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 20, 4},
                                                 {CUBLASLT_ALGO_CONFIG_STAGES_ID, 24, 4}};

template <size_t N> static const Attribute *find(const Attribute (&table)[N], int number)
{
    for (const Attribute &a : table)
        if (a.number == number)
            return &a;
    return nullptr;
}
template <size_t N>
static cublasStatus_t set(const Attribute (&table)[N], void *what, int number, const void *value,
                          size_t bytes)
{
    const Attribute *a = find(table, number);
    if (!what || !a || !value || bytes != a->bytes)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)what + a->offset, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
// With 0 bytes only the size is asked for.
template <size_t N>
static cublasStatus_t get(const Attribute (&table)[N], const void *what, int number, void *value,
                          size_t bytes, size_t *written)
{
    const Attribute *a = find(table, number);
    if (!what || !a || (bytes == 0 ? !written : !value || bytes != a->bytes))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (written)
        *written = a->bytes;
    if (bytes)
        memcpy(value, (const char *)what + a->offset, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

static const Layout *inside(cublasLtMatrixLayout_t x) { return (const Layout *)x; }
static const Matmul *inside(cublasLtMatmulDesc_t x) { return (const Matmul *)x; }
static const Transform *inside(cublasLtMatrixTransformDesc_t x) { return (const Transform *)x; }

template <class State, class Opaque> static cublasStatus_t init(Opaque *what, const State &state)
{
    static_assert(sizeof(State) <= sizeof(Opaque), "does not fit");
    if (!what)
        return CUBLAS_STATUS_INVALID_VALUE;
    *what = {};
    memcpy((void *)what, &state, sizeof state);
    return CUBLAS_STATUS_SUCCESS;
}
template <class State, class Opaque>
static cublasStatus_t create(Opaque **what, const State &state, Object kind, Pc place)
{
    if (!what)
        return CUBLAS_STATUS_INVALID_VALUE;
    object_created(kind, *what = new Opaque, place);
    return init(*what, state);
}

static Layout layout(cudaDataType type, u64 rows, u64 columns, int64_t ld)
{
    return {type, CUBLASLT_ORDER_COL, rows, columns, ld, 1, 0, 0, 0};
}
static Matmul matmul_desc(cublasComputeType_t compute, cudaDataType scale)
{
    Matmul m = {};
    m.compute = compute;
    m.scale = scale;
    m.fill = CUBLAS_FILL_MODE_FULL;
    m.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    m.aux_type = m.bias_type = -1; // D's
    return m;
}
static Preference preference()
{
    return {CUBLASLT_SEARCH_BEST_FIT, 0, CUBLASLT_REDUCTION_SCHEME_MASK,
            {256, 256, 256, 256},     0, ~0ull};
}

// ---- the product --------------------------------------------------------------------------------

static bool is_operation(int op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

// A matrix by rows is its transpose by columns.
static cublasStatus_t operand(const Layout *x, int op, Operand *result)
{
    const u64 most = INT_MAX;
    if (!x || !is_operation(op) || x->batch < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!bytes_of((cudaDataType)x->type) ||
        (x->order != CUBLASLT_ORDER_COL && x->order != CUBLASLT_ORDER_ROW) || x->rows > most ||
        x->columns > most)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const bool by_rows = x->order == CUBLASLT_ORDER_ROW;
    if (x->ld < (int64_t)(by_rows ? x->columns : x->rows))
        return CUBLAS_STATUS_INVALID_VALUE;
    *result = {nullptr, (cudaDataType)x->type, x->ld, x->stride,
               (op == CUBLAS_OP_N) != by_rows ? CUBLAS_OP_N : CUBLAS_OP_T};
    return CUBLAS_STATUS_SUCCESS;
}
static int rows_of(const Layout *x, int op)
{
    return (int)(op == CUBLAS_OP_N ? x->rows : x->columns);
}
static int columns_of(const Layout *x, int op)
{
    return (int)(op == CUBLAS_OP_N ? x->columns : x->rows);
}

// The operation, without the arrays; D is the operand that is written.
struct Plan {
    Product product;
    Operand c;
    cudaDataType bias;
};

// The flag of the default changes nothing beside others.
static bool epilogue_is_there(int epilogue, bool by_rows)
{
    switch (epilogue & ~CUBLASLT_EPILOGUE_DEFAULT) {
    case 0: return epilogue != 0;
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_GELU: return true;
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_BIAS: return !by_rows;
    default: return false;
    }
}

static cublasStatus_t plan(const Matmul *m, const Layout *a, const Layout *b, const Layout *c,
                           const Layout *d, Plan *p)
{
    if (!m || !a || !b || !c || !d)
        return CUBLAS_STATUS_INVALID_VALUE;
    Product &q = p->product;
    cublasStatus_t status = operand(a, m->op_a, &q.a);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = operand(b, m->op_b, &q.b);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = operand(c, CUBLAS_OP_N, &p->c);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = operand(d, CUBLAS_OP_N, &q.c);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    q.m = (int)d->rows;
    q.n = (int)d->columns;
    q.k = columns_of(a, m->op_a);
    q.batch = d->batch;
    if (rows_of(a, m->op_a) != q.m || columns_of(b, m->op_b) != q.n || rows_of(b, m->op_b) != q.k ||
        c->rows != d->rows || c->columns != d->columns || a->batch != q.batch ||
        b->batch != q.batch || c->batch != q.batch)
        return CUBLAS_STATUS_INVALID_VALUE;
    p->bias = m->bias_type < 0 ? q.c.type : (cudaDataType)m->bias_type;
    const bool there = compute((cublasComputeType_t)m->compute, q.a.type, kExact, &q);
    // 8-bit results: not here
    const bool integers = q.scale == CUDA_R_32I && m->scale == CUDA_R_32F;
    if (q.a.type != q.b.type || p->c.type != q.c.type || p->c.op != q.c.op ||
        (q.scale != m->scale && !integers))
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool floats = m->scale == CUDA_R_32F && (q.c.type == q.a.type || q.c.type == CUDA_R_32F);
    if (!there || integers || m->op_c != CUBLAS_OP_N || m->fill != CUBLAS_FILL_MODE_FULL ||
        (floats ? q.c.type == CUDA_R_8I : q.c.type != q.scale) || m->mode < 0 ||
        m->mode > CUBLASLT_POINTER_MODE_DEVICE ||
        !epilogue_is_there(m->epilogue, q.c.op != CUBLAS_OP_N) || !bytes_of(p->bias) ||
        m->scale_a || m->scale_b || m->scale_c || m->scale_d || m->amax_d)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return CUBLAS_STATUS_SUCCESS;
}

// GELU by the hyperbolic tangent, as NVIDIA's library has it
static double epilogue(double x, int which)
{
    if (which & CUBLASLT_EPILOGUE_RELU)
        return x > 0 ? x : 0; // so is NaN
    if (which & CUBLASLT_EPILOGUE_GELU)
        return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    return x;
}

static const u64 kAlgorithm = 0x6c74u << 16; // written where an algorithm comes from here
static cublasLtMatmulAlgo_t the_algorithm() { return {{0, 0, 0, 0, 0, 0, 0, kAlgorithm}}; }
static bool is_algorithm(const cublasLtMatmulAlgo_t *a)
{
    return a->data[7] == kAlgorithm && (a->data[0] & 0xffffffff) == 0;
}

static cublasStatus_t matmul(Call call, const Matmul *m, const Plan &p, void *workspace,
                             size_t bytes)
{
    const Product &q = p.product;
    call.device_scalars = m->mode == CUBLASLT_POINTER_MODE_DEVICE;
    const bool on_device = call.device_scalars;
    call.scalar(q.alpha, bytes_of(q.scale), "alpha");
    call.scalar(q.beta, bytes_of(q.scale), "beta");
    if (!call.good)
        return call.status();
    const double alpha = on_device ? 0 : number_at(q.alpha, q.scale, 0),
                 beta = on_device ? 0 : number_at(q.beta, q.scale, 0);
    const bool biased = m->epilogue & CUBLASLT_EPILOGUE_BIAS;
    if ((!p.c.p && (on_device || beta != 0)) || (biased && !m->bias) || (size_t)workspace % 256 ||
        (bytes && !workspace))
        return CUBLAS_STATUS_INVALID_VALUE;
    announce_factors(call, q);
    if (beta != 0)
        announce(call, p.c, q.m, q.n, q.batch, "C", kRead);
    announce(call, q.c, q.m, q.n, q.batch, "D", kWrite);
    const u32 bias_bytes = (u32)bytes_of(p.bias);
    for (int i = 0; biased && i < q.batch; i++)
        call.array((const char *)m->bias + (int64_t)i * m->bias_stride * bias_bytes,
                   (u64)q.m * bias_bytes, "the bias", true, kRead, bias_bytes);
    call.array(workspace, bytes, "the workspace", false);
    const Matmul how = *m;
    return call.run([=] {
        const double al = on_device ? number_at(q.alpha, q.scale, 0) : alpha,
                     be = on_device ? number_at(q.beta, q.scale, 0) : beta;
        for (int b = 0; b < q.batch; b++)
            sums(q, b, [&](int i, int j, double sum) {
                double x = scaled(q, sum, al, be, p.c, be != 0 ? p.c.at(b, i, j) : 0);
                if (biased)
                    x = as_type(x + number_at(how.bias, p.bias, b * how.bias_stride + i), q.scale);
                set_number(q.c.p, q.c.type, q.c.at(b, i, j), epilogue(x, how.epilogue));
            });
    });
}

// C = alpha op(A) + beta op(B), where a matrix times zero is not looked at
static cublasStatus_t transform(Call call, const Transform *t, const void *alpha, Operand a,
                                const void *beta, Operand b, Operand c, int rows, int columns,
                                int batch)
{
    const cudaDataType scale = (cudaDataType)t->scale;
    call.device_scalars = t->mode == CUBLASLT_POINTER_MODE_DEVICE;
    const bool on_device = call.device_scalars;
    call.scalar(alpha, bytes_of(scale), "alpha");
    if (b.p)
        call.scalar(beta, bytes_of(scale), "beta");
    if (!call.good)
        return call.status();
    const double al = on_device ? 0 : number_at(alpha, scale, 0),
                 be = on_device || !b.p ? 0 : number_at(beta, scale, 0);
    if (on_device || al != 0)
        announce(call, a, rows, columns, batch, "A", kRead);
    if (b.p && (on_device || be != 0))
        announce(call, b, rows, columns, batch, "B", kRead);
    announce(call, c, rows, columns, batch, "C", kWrite);
    return call.run([=] {
        const double fa = on_device ? number_at(alpha, scale, 0) : al,
                     fb = on_device && b.p ? number_at(beta, scale, 0) : be;
        std::vector<double> sums; // C may be A or B
        for (int m = 0; m < batch; m++)
            for (int j = 0; j < columns; j++)
                for (int i = 0; i < rows; i++)
                    sums.push_back(
                        (fa != 0 ? as_type(fa * number_at(a.p, a.type, a.at(m, i, j)), scale) : 0) +
                        (fb != 0 ? as_type(fb * number_at(b.p, b.type, b.at(m, i, j)), scale) : 0));
        size_t next = 0;
        for (int m = 0; m < batch; m++)
            for (int j = 0; j < columns; j++)
                for (int i = 0; i < rows; i++)
                    set_number(c.p, c.type, c.at(m, i, j), sums[next++]);
    });
}

} // namespace emulated

using namespace emulated;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    return create_handle((cublasHandle_t *)handle, kBlasLt, __builtin_return_address(0));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    return destroy_handle((cublasHandle_t)handle, kBlasLt) ? CUBLAS_STATUS_SUCCESS
                                                           : CUBLAS_STATUS_INVALID_VALUE;
}
size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion(void)
{
    int version = 0;
    cudaRuntimeGetVersion(&version);
    return (size_t)version;
}
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value)
{
    if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = type == MAJOR_VERSION   ? CUBLAS_VER_MAJOR
             : type == MINOR_VERSION ? CUBLAS_VER_MINOR
                                     : CUBLAS_VER_PATCH;
    return CUBLAS_STATUS_SUCCESS;
}
const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

#define CUBLASLT(Name, Type, Attribute, table)                                                     \
    cublasStatus_t cublasLt##Name##Destroy(Type what)                                              \
    {                                                                                              \
        emulated::object_ended(emulated::k##Name, what);                                           \
        delete what;                                                                               \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasLt##Name##SetAttribute(Type what, Attribute attribute, const void *value, \
                                                size_t bytes)                                      \
    {                                                                                              \
        return emulated::set(table, what, attribute, value, bytes);                                \
    }                                                                                              \
    cublasStatus_t cublasLt##Name##GetAttribute(Type what, Attribute attribute, void *value,       \
                                                size_t bytes, size_t *written)                     \
    {                                                                                              \
        return emulated::get(table, what, attribute, value, bytes, written);                       \
    }
CUBLASLT(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, layout_attributes)
CUBLASLT(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, matmul_attributes)
CUBLASLT(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
         preference_attributes)
CUBLASLT(MatrixTransformDesc, cublasLtMatrixTransformDesc_t,
         cublasLtMatrixTransformDescAttributes_t, transform_attributes)

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *what, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld)
{
    return emulated::create(what, layout(type, rows, columns, ld), kMatrixLayout,
                            __builtin_return_address(0));
}
cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t what, cudaDataType type,
                                        uint64_t rows, uint64_t columns, int64_t ld)
{
    return init(what, layout(type, rows, columns, ld));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *what, cublasComputeType_t type,
                                        cudaDataType scale)
{
    return emulated::create(what, matmul_desc(type, scale), kMatmulDesc,
                            __builtin_return_address(0));
}
cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t what, cublasComputeType_t type,
                                      cudaDataType scale)
{
    return init(what, matmul_desc(type, scale));
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *what)
{
    return emulated::create(what, preference(), kMatmulPreference, __builtin_return_address(0));
}
cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t what)
{
    return init(what, preference());
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *what,
                                                 cudaDataType scale)
{
    return emulated::create(what, Transform{scale, 0, 0, 0}, kMatrixTransformDesc,
                            __builtin_return_address(0));
}
cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t what,
                                               cudaDataType scale)
{
    return init(what, Transform{scale, 0, 0, 0});
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t wanted, int requested,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *returned)
{
    if (!is_cublas_handle((cublasHandle_t)handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!wanted || requested <= 0 || !results || !returned)
        return CUBLAS_STATUS_INVALID_VALUE;
    *returned = 0;
    const cublasLtMatmulAlgo_t only = the_algorithm();
    cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, desc, a, b, c, d, &only, &results[0]);
    const cublasLtMatrixLayout_t all[] = {a, b, c, d};
    // no algorithm takes halves of elements
    for (int i = 0; i < 4 && status == CUBLAS_STATUS_SUCCESS; i++)
        if (((const Preference *)wanted)->alignment[i] <
            bytes_of((cudaDataType)inside(all[i])->type))
            status = CUBLAS_STATUS_NOT_SUPPORTED;
    *returned = status == CUBLAS_STATUS_SUCCESS;
    return status;
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType,
                                        cudaDataType, cudaDataType, cudaDataType, cudaDataType,
                                        int requested, int ids[], int *returned)
{
    if (!is_cublas_handle((cublasHandle_t)handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (requested <= 0 || !ids || !returned)
        return CUBLAS_STATUS_INVALID_VALUE;
    ids[0] = 0;
    *returned = 1;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType,
                                      cudaDataType, cudaDataType, cudaDataType, cudaDataType,
                                      int id, cublasLtMatmulAlgo_t *algorithm)
{
    if (!is_cublas_handle((cublasHandle_t)handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (id != 0 || !algorithm)
        return CUBLAS_STATUS_INVALID_VALUE;
    *algorithm = the_algorithm();
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algorithm,
                                       cublasLtMatmulHeuristicResult_t *result)
{
    if (!is_cublas_handle((cublasHandle_t)handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!algorithm || !is_algorithm(algorithm) || !result)
        return CUBLAS_STATUS_INVALID_VALUE;
    Plan p;
    const cublasStatus_t status =
        plan(inside(desc), inside(a), inside(b), inside(c), inside(d), &p);
    *result = {*algorithm, 0, status, 1, {0, 0, 0, 0}};
    return status;
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void *value, size_t bytes)
{
    return emulated::set(algorithm_attributes, algorithm, attribute, value, bytes);
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void *value, size_t bytes, size_t *written)
{
    return emulated::get(algorithm_attributes, algorithm, attribute, value, bytes, written);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t lt, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t layouta, const void *b,
                              cublasLtMatrixLayout_t layoutb, const void *beta, const void *c,
                              cublasLtMatrixLayout_t layoutc, void *d,
                              cublasLtMatrixLayout_t layoutd, const cublasLtMatmulAlgo_t *algorithm,
                              void *workspace, size_t bytes, cudaStream_t stream)
{
    const cublasHandle_t handle = (cublasHandle_t)lt;
    Call call = CALL("cublasLtMatmul");
    if (!call.handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !b || !beta || !d || (algorithm && !is_algorithm(algorithm)))
        return CUBLAS_STATUS_INVALID_VALUE;
    Plan p;
    const cublasStatus_t status =
        plan(inside(desc), inside(layouta), inside(layoutb), inside(layoutc), inside(layoutd), &p);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    p.product.a.p = a;
    p.product.b.p = b;
    p.product.c.p = d;
    p.c.p = c;
    p.product.alpha = alpha;
    p.product.beta = beta;
    call.stream = stream;
    return matmul(call, inside(desc), p, workspace, bytes);
}

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t lt, cublasLtMatrixTransformDesc_t desc,
                                       const void *alpha, const void *a,
                                       cublasLtMatrixLayout_t layouta, const void *beta,
                                       const void *b, cublasLtMatrixLayout_t layoutb, void *c,
                                       cublasLtMatrixLayout_t layoutc, cudaStream_t stream)
{
    const cublasHandle_t handle = (cublasHandle_t)lt;
    Call call = CALL("cublasLtMatrixTransform");
    if (!call.handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const Transform *t = inside(desc);
    const Layout *la = inside(layouta), *lb = inside(layoutb), *lc = inside(layoutc);
    if (!t || !alpha || !a || !la || !c || !lc || (b && (!lb || !beta)))
        return CUBLAS_STATUS_INVALID_VALUE;
    Operand x, y = {}, z;
    cublasStatus_t status = operand(la, t->op_a, &x);
    if (status == CUBLAS_STATUS_SUCCESS && b)
        status = operand(lb, t->op_b, &y);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = operand(lc, CUBLAS_OP_N, &z);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    const int rows = (int)lc->rows, columns = (int)lc->columns;
    if (rows_of(la, t->op_a) != rows || columns_of(la, t->op_a) != columns ||
        la->batch != lc->batch ||
        (b && (rows_of(lb, t->op_b) != rows || columns_of(lb, t->op_b) != columns ||
               lb->batch != lc->batch)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!bytes_of((cudaDataType)t->scale) || t->mode < 0 || t->mode > CUBLASLT_POINTER_MODE_DEVICE)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    x.p = a;
    y.p = b;
    z.p = c;
    call.stream = stream;
    return transform(call, t, alpha, x, beta, y, z, rows, columns, lc->batch);
}

} // extern "C"
