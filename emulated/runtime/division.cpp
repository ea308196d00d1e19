// division.cpp: integer divisions on which the processor traps, or of which it makes something
// else. A GPU does not trap: the quotient and the remainder of a division by zero have all bits
// set, as an H200 shows (where the compiler computes the remainder from the quotient, it is the
// dividend there); the least integer divided by -1 is itself.
#include "emulator.h"

#include <cstring>
#include <ucontext.h>

namespace emulated
{

#if defined __x86_64__

// The general registers in the order of their numbers in an instruction
static const int registers_by_number[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                          REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                          REG_R12, REG_R13, REG_R14, REG_R15};

bool divide_as_a_gpu(void *context);

struct Division {
    int bytes;      // of the operands
    u64 divisor;    // its lowest `bytes` count
    const u8 *next; // the instruction behind it
};

// Reads DIV or IDIV with a register or memory as operand; false if it is neither.
static bool read_division(const greg_t *registers, Division *d)
{
    const u8 *p = (const u8 *)registers[REG_RIP];
    const bool half = *p == 0x66;
    p += half;
    const u8 rex = (*p & 0xf0) == 0x40 ? *p++ : 0, opcode = *p++, modrm = *p++;
    if ((opcode != 0xf6 && opcode != 0xf7) || (modrm >> 3 & 7) < 6)
        return false;
    d->bytes = opcode == 0xf6 ? 1 : half ? 2 : rex & 8 ? 8 : 4;
    const int mode = modrm >> 6, low = modrm & 7, high_base = (rex & 1) << 3;
    const auto value = [&](int number) { return (u64)registers[registers_by_number[number]]; };
    if (mode == 3) {
        const bool second_byte = d->bytes == 1 && !rex && low >= 4; // AH, CH, DH, BH
        d->divisor = second_byte ? value(low - 4) >> 8 : value(low | high_base);
        d->next = p;
        return true;
    }
    u64 address = 0;
    int displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
    bool from_next = false;
    if (low == 4) {
        const u8 sib = *p++;
        const int index = (sib >> 3 & 7) | (rex & 2) << 2;
        if (index != 4)
            address += value(index) << (sib >> 6);
        if ((sib & 7) == 5 && mode == 0)
            displacement = 4;
        else
            address += value((sib & 7) | high_base);
    } else if (low == 5 && mode == 0) {
        displacement = 4;
        from_next = true;
    } else {
        address += value(low | high_base);
    }
    if (displacement == 1)
        address += (u64)(signed char)*p;
    else if (displacement == 4) {
        int offset;
        memcpy(&offset, p, sizeof offset);
        address += (u64)(int64_t)offset;
    }
    d->next = p + displacement;
    if (from_next)
        address += (u64)d->next;
    memcpy(&d->divisor, (const void *)address, (size_t)d->bytes);
    return true;
}

// For the handler of SIGFPE: makes the division that was refused, and goes on behind it; false if
// it is no kernel's, or no division.
bool divide_as_a_gpu(void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    Division d = {};
    Lane *lane = current;
    if (!lane || !on_fiber((u64)registers[REG_RSP]) || !read_division(registers, &d))
        return false;
    const u64 mask = d.bytes == 8 ? ~0ull : (1ull << 8 * d.bytes) - 1;
    const u64 dividend = (u64)registers[REG_RAX] & mask;
    const bool by_zero = (d.divisor & mask) == 0;
    // 64-bit numbers that are small are divided as 32-bit numbers
    const u64 quotient = !by_zero         ? dividend
                         : dividend >> 32 ? mask
                                          : mask & 0xffffffffu,
              remainder = by_zero ? quotient : 0;
    if (by_zero)
        report({"division-by-zero", (Pc)(registers[REG_RIP] + 1), lane, "",
                "divides an integer by zero: a GPU goes on, with a result that means nothing", 0});
    const auto put = [&](int which, u64 value) {
        u64 whole = (u64)registers[which];
        whole = d.bytes >= 4 ? value : (whole & ~mask) | value;
        registers[which] = (greg_t)whole;
    };
    if (d.bytes == 1)
        registers[REG_RAX] =
            (greg_t)(((u64)registers[REG_RAX] & ~0xffffull) | remainder << 8 | quotient);
    else {
        put(REG_RAX, quotient);
        put(REG_RDX, remainder);
    }
    registers[REG_RIP] = (greg_t)d.next;
    return true;
}

#elif defined __aarch64__

// The processor divides by zero and gives 0. emulated-cc (cc/arithmetic.c) puts an instruction in
// front of each division that no processor knows, and that is passed over unless the divisor is 0.
const u32 kNoInstruction = 0xd1f0, kDivision = 0x1ac00800, kDivisionBits = 0x7fe0f800;

bool divide_as_a_gpu(void *context);
bool divide_as_a_gpu(void *context)
{
    mcontext_t &machine = ((ucontext_t *)context)->uc_mcontext;
    const u32 *at = (const u32 *)machine.pc;
    if (at[0] != kNoInstruction || (at[1] & kDivisionBits) != kDivision)
        return false;
    const u32 to = at[1] & 31, from = at[1] >> 5 & 31;
    const bool wide = at[1] >> 31;
    const u64 dividend = from < 31 ? machine.regs[from] : 0;
    Lane *lane = current;
    u64 quotient = 0; // of the host
    if (lane && on_fiber(machine.sp)) {
        // 64-bit numbers that are small are divided as 32-bit numbers
        quotient = wide && dividend >> 32 ? ~0ull : 0xffffffffu;
        report({"division-by-zero", (Pc)(machine.pc + 1), lane, "",
                "divides an integer by zero: a GPU goes on, with a result that means nothing", 0});
    }
    if (to < 31)
        machine.regs[to] = quotient;
    machine.pc += 8;
    return true;
}

#else
bool divide_as_a_gpu(void *context);
bool divide_as_a_gpu(void *) { return false; }
#endif

} // namespace emulated
