/* advice.h: what beginners meet: a piece of the compiler's message, and what to do. One table for
 * the messages of g++ (messages.c) and of nvcc (the course's runner). */
#ifndef EMULATED_ADVICE_H
#define EMULATED_ADVICE_H
#include <stddef.h>

static const struct {
    const char *gcc, *nvcc;  /* a piece of the compiler's message; NULL: it has none for this */
    const char *nvcc_source; /* a piece of the author's line that nvcc's must go with; NULL: any */
    const char *advice;
} advices[] = {
    {"further/", NULL, NULL,
     "this template is of an older release: ./course reset EXERCISE brings the new one, and keeps "
     "yours beside it to copy your lines from"},
    {"unterminated argument list invoking macro", NULL, NULL, "a ) is missing: it begins here"},
    {"is not an integral constant-expression", "expression must have a constant value", NULL,
     "an array's size must be a constant. For shared memory whose size is known at the launch: "
     "extern __shared__ float s[]; and its bytes as the third value in <<<grid, block, bytes>>>"},
    {"storage size of", NULL, NULL,
     "an array's size must be a constant. For shared memory whose size is known at the launch: "
     "extern __shared__ float s[]; and its bytes as the third value in <<<grid, block, bytes>>>"},
    {"variable-sized object", NULL, NULL,
     "the size of shared memory must be a constant, or: extern __shared__ float s[];"},
    {"no matching function for call to 'cudaMalloc(", NULL, NULL,
     "cudaMalloc() wants the address of the pointer: cudaMalloc((void **)&pointer, bytes)"},
    {"no matching function for call to 'cudaMallocManaged(", NULL, NULL,
     "cudaMallocManaged() wants the address of the pointer: cudaMallocManaged((void **)&pointer, "
     "bytes)"},
    {"no matching function for call to '__ldg(", "overloaded function \"__ldg\"", NULL,
     "__ldg() wants the element's address: is a & missing?"},
    {"invalid conversion from 'const void*' to 'void*'",
     "cannot be assigned to an entity of type \"void *\"", NULL,
     "nothing is written through a const pointer. The destination of a copy comes first: "
     "cudaMemcpy(to, from, bytes, direction). A call that only reads takes (void *)pointer"},
    {"invalid conversion from 'const float*' to 'float*'",
     "to initialize an entity of type \"float *\"", NULL,
     "nothing is written through a const pointer, nor through a copy of it: const float *"},
    {"cannot convert 'float' to 'const void*'",
     "\"float\" is incompatible with parameter of type \"const void *\"", NULL,
     "a copy wants addresses. A single number needs none: pass it to the kernel as an argument"},
    {"to 'CUstream_st**'", "with parameter of type \"cudaStream_t *\"", NULL,
     "the call wants the address of the stream: &stream"},
    {"to 'CUevent_st**'", "with parameter of type \"cudaEvent_t *\"", NULL,
     "the call wants the address of the event: &event"},
    {"'double*' to 'float*'", "\"double *\" is incompatible with parameter of type \"float *\"",
     NULL, "the call writes a float: give it the address of one"},
    {"to 'void**'", "with parameter of type \"void **\"", NULL,
     "the call wants the address of the pointer: (void **)&pointer"},
    {NULL, "overloaded function \"cudaMalloc", NULL,
     "the call wants the address of the pointer: (void **)&pointer"},
    {"a function-definition is not allowed here", "a function definition is not allowed here", NULL,
     "a function begins inside another one: is a } missing above?"},
    {"expected '}' at end of input", NULL, NULL,
     "a } is missing: the { without a partner is named below"},
    {"in read-only object", NULL, NULL,
     "threadIdx, blockIdx, blockDim and gridDim are given, and const data stays as it is"},
    {"expected ';' before", "expected a \";\"", NULL,
     "is a ; missing at the end of the line before?"},
    {"invalid operands of types 'void(", NULL, NULL,
     "a kernel launch has three brackets: kernel<<<grid, block>>>(arguments)"},
    {"lvalue required as left operand of assignment", NULL, NULL,
     "only a variable or an element can be assigned to"},
    {"invalid conversion from 'void*'", "type \"void *\" cannot be", NULL,
     "a .cu file is C++: cast the result, (float *)malloc(bytes)"},
    {"operand types are 'const uint3'", "operand types are: const uint3", NULL,
     "threadIdx, blockIdx, blockDim and gridDim have components: blockIdx.x * blockDim.x + "
     "threadIdx.x"},
    {"operand types are 'const float4'", "operand types are: const float4", NULL,
     "a float4 has four members: load it into a variable, and compute with .x, .y, .z and .w"},
    {"too few arguments to function 'cudaError_t cudaMemcpy(", "too few arguments in function call",
     "cudaMemcpy(", "the direction is missing: cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost"},
    {"the values in <<<>>> do not fit a launch", NULL, NULL,
     "<<<grid, block>>>, or <<<grid, block, bytes of dynamic shared memory, stream>>>; a grid or a "
     "block of two or three dimensions is one value: dim3 block(16, 16);"},
    {"invalid conversion from 'int' to 'int*'", "overloaded function \"atomic", NULL,
     "an address is wanted: is a & missing?"},
    {"cannot convert 'float' to 'float*'", NULL, NULL, "an address is wanted: is a & missing?"},
    {"section attribute cannot be specified for local", "an automatic \"__constant__\" variable",
     NULL, "__constant__ and __device__ variables are declared outside of all functions"},
    {NULL, "an automatic \"__device__\" variable", NULL,
     "__constant__ and __device__ variables are declared outside of all functions"},
    {"reference, not call, to function", "expression has no effect", "__syncthreads",
     "a call needs parentheses, even without arguments"},
    {"left operand of comma operator has no effect", "expression has no effect", "dim3",
     "several sizes in one value: dim3 block(16, 16);"},
    {"'blockIDx'", "\"blockIDx\"", NULL, "CUDA's name is blockIdx"},
    {"'threadIDx'", "\"threadIDx\"", NULL, "CUDA's name is threadIdx"},
    {"'threadidx'", "\"threadidx\"", NULL, "CUDA's name is threadIdx"},
    {"'blockidx'", "\"blockidx\"", NULL, "CUDA's name is blockIdx"},
    {"'__syncthread'", "\"__syncthread\"", NULL, "CUDA's name is __syncthreads"},
    {"'syncthreads'", "\"syncthreads\"", NULL, "CUDA's name is __syncthreads"},
    {"was not declared in this scope", "is undefined", NULL,
     "a function knows its parameters, its own variables and what stands above it: a kernel does "
     "not see the host's variables"},
    {NULL, "must have a void return type", NULL,
     "a kernel returns nothing: its type must be void, and its result goes to memory"},
    {NULL, "a host function call cannot be configured", NULL,
     "what is launched is no kernel: is __global__ missing?"},
    {NULL, "a __global__ function call must be configured", NULL,
     "a kernel is launched with <<<grid, block>>>"},
    {NULL, "\"__shared__\" variable declaration is not allowed inside a host", NULL,
     "__shared__ memory belongs to a block: declare it in the kernel"},
    {NULL, "calling a __host__ function", NULL, "a kernel can only call __device__ functions"},
    {NULL, "calling a __device__ function", NULL,
     "the host cannot call a __device__ function: __host__ __device__ makes it one for both"},
    {NULL, "with parameter of type \"size_t\"", "<<<",
     "<<<grid, block>>>, or <<<grid, block, bytes of dynamic shared memory, stream>>>"},
    {NULL, "must be a modifiable lvalue", NULL,
     "only a variable or an element can be assigned to, and const data stays as it is"},
    {NULL, "uses too much shared data", NULL,
     "a block has 48 KB for __shared__ arrays; more is given at the launch, after "
     "cudaFuncSetAttribute()"},
};
#endif
