// fiber.cpp: a stack for each thread of a block and the switch between them. No library has a
// switch that is both fast and always available, hence a few lines of assembly: 5 to 8 ns a switch
// on x86-64, against 200 for ucontext.
#include "emulator.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#if defined EMULATED_UCONTEXT || (!defined __x86_64__ && !defined __aarch64__)
#include <ucontext.h>
#define SWITCH_BY_UCONTEXT
#endif

namespace emulated
{

char *stacks_begin;
u64 stacks_size = 64ull << 30; // address space only; pages come when touched
u64 stack_size = 64 << 10;
static std::vector<char *> free_stacks EMULATED_EARLY;
static u64 stacks_made;

#if defined SWITCH_BY_UCONTEXT
// Without assembly the C library switches; the "stack pointer" is the address of a context.
extern "C" void emulated_switch(void **save, void *to)
{
    ucontext_t here;
    *save = &here;
    swapcontext(&here, (ucontext_t *)to);
}

void prepare_fiber(Lane &lane, void (*entry)())
{
    // The context lies at the top of the stack that it describes.
    ucontext_t *context =
        (ucontext_t *)(((u64)lane.stack_top & ~63ull) - ((sizeof(ucontext_t) + 63) & ~63ull));
    getcontext(context);
    context->uc_stack.ss_sp = lane.stack_top - stack_size + 4096;
    context->uc_stack.ss_size = (char *)context - (char *)context->uc_stack.ss_sp;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
    lane.stack_pointer = context;
}
#elif defined __x86_64__
// Saves the registers that a function must keep, exchanges the stack pointers, and jumps: a jump is
// quicker here than a return, which the processor would predict wrongly.
asm(R"(
    .text
    .globl emulated_switch
    .type emulated_switch, @function
emulated_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rax
    jmpq *%rax
    .size emulated_switch, . - emulated_switch
)");

void prepare_fiber(Lane &lane, void (*entry)())
{
    void **top = (void **)((u64)lane.stack_top & ~63ull);
    *--top =
        nullptr; // the address that entry() would return to; also aligns the stack as after a call
    *--top = (void *)entry;
    for (int i = 0; i < 6; i++)
        *--top = nullptr;
    lane.stack_pointer = top;
}
#elif defined __aarch64__
asm(R"(
    .text
    .globl emulated_switch
    .type emulated_switch, %function
emulated_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    br x30
    .size emulated_switch, . - emulated_switch
)");

void prepare_fiber(Lane &lane, void (*entry)())
{
    u64 *frame = (u64 *)(((u64)lane.stack_top & ~63ull) - 160);
    for (int i = 0; i < 20; i++)
        frame[i] = 0;
    frame[11] = (u64)entry; // x30
    lane.stack_pointer = frame;
}
#endif

static char *stack_number(u64 i)
{
    // The tops are staggered, or all stacks would compete for the same lines of the cache.
    return stacks_begin + (1 << 20) + (i + 1) * stack_size - i * 5 % 60 * 64;
}

char *new_stack()
{
    if (!stacks_begin) {
        stacks_begin = (char *)reserve(stacks_size, "the threads' stacks");
#ifdef MADV_WIPEONFORK
        // a process forks while no block runs: they are free
        madvise(stacks_begin, stacks_size, MADV_WIPEONFORK);
#endif
    }
    if (!free_stacks.empty()) {
        char *top = free_stacks.back();
        free_stacks.pop_back();
        return top;
    }
    if ((stacks_made + 2) * stack_size + (1 << 20) > stacks_size) {
        needs_one_core();
        fprintf(stderr, "emulated device: no room for the stacks of more than %llu threads\n",
                (unsigned long long)stacks_made);
        exit(2);
    }
    return stack_number(stacks_made++);
}

void free_stack(char *top) { free_stacks.push_back(top); }

void set_stack_size(u64 bytes)
{
    stack_size = bytes;
    stacks_made = 0;
    free_stacks.clear();
}

void forget_stacks()
{
    free_stacks.clear();
    for (u64 i = stacks_made; i-- > 0;)
        free_stacks.push_back(stack_number(i));
}

} // namespace emulated
