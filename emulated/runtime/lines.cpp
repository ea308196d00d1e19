// lines.cpp: from an instruction's address to line and column, by the compiler's line table (DWARF
// 2 to 5). It finds the column, which libbacktrace and addr2line do not report; these find files
// and functions better.
#include "emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <link.h>

namespace emulated
{

struct LineRow {
    u64 address;
    u32 line, column; // line 0: no code from here on
};

struct Bytes { // reads on; past the end it yields zeros
    const u8 *at, *end;
    u64 number(int bytes)
    {
        u64 n = 0;
        for (int i = 0; i < bytes && at < end; i++)
            n |= (u64)*at++ << 8 * i;
        return n;
    }
    u64 leb(bool is_signed = false)
    {
        u64 n = 0;
        int shift = 0;
        u8 b = 0;
        while (at < end) {
            b = *at++;
            if (shift < 64)
                n |= (u64)(b & 127) << shift;
            shift += 7;
            if (!(b & 128))
                break;
        }
        return is_signed && (b & 64) && shift < 64 ? n | ~0ull << shift : n;
    }
};

struct LineProgram {
    int instruction, line_base, line_range, opcode_base;
    u8 lengths[256];
};

static void run_line_program(Bytes b, const LineProgram &p, std::vector<LineRow> &rows)
{
    LineRow row = {0, 1, 0};
    const int range = p.line_range ? p.line_range : 1;
    while (b.at < b.end) {
        const int op = (int)b.number(1);
        if (op >= p.opcode_base) {
            row.address += (u64)((op - p.opcode_base) / range * p.instruction);
            row.line += (u32)(p.line_base + (op - p.opcode_base) % range);
            rows.push_back(row);
        } else if (op == 0) { // extended
            const u64 length = b.leb();
            Bytes inner = {b.at, b.at + std::min<u64>(length, (u64)(b.end - b.at))};
            b.at = inner.end;
            switch (inner.number(1)) {
            case 1: // end of a sequence
                rows.push_back({row.address, 0, 0});
                row = {0, 1, 0};
                break;
            case 2: row.address = inner.number(8); break;
            default: break;
            }
        } else if (op == 1)
            rows.push_back(row);
        else if (op == 2)
            row.address += b.leb() * (u64)p.instruction;
        else if (op == 3)
            row.line += (u32)b.leb(true);
        else if (op == 5)
            row.column = (u32)b.leb();
        else if (op == 8)
            row.address += (u64)((255 - p.opcode_base) / range * p.instruction);
        else if (op == 9)
            row.address += b.number(2);
        else
            for (int i = 0; i < p.lengths[op]; i++)
                b.leb();
    }
}

static void read_line_table(Bytes all, std::vector<LineRow> &rows)
{
    while (all.at + 4 < all.end) {
        u64 length = all.number(4);
        const int word = length == 0xffffffff ? 8 : 4;
        if (word == 8)
            length = all.number(8);
        Bytes unit = {all.at, all.at + std::min<u64>(length, (u64)(all.end - all.at))};
        all.at = unit.end;
        const int version = (int)unit.number(2);
        if (version < 2 || version > 5)
            continue;
        if (version == 5)
            unit.number(2); // sizes of addresses and segments
        const u64 header = unit.number(word);
        Bytes program = {unit.at + std::min<u64>(header, (u64)(unit.end - unit.at)), unit.end};
        LineProgram p = {};
        p.instruction = (int)unit.number(1);
        unit.number(version >= 4 ? 2 : 1); // operations per instruction, what counts as a statement
        p.line_base = (signed char)unit.number(1);
        p.line_range = (int)unit.number(1);
        p.opcode_base = (int)unit.number(1);
        for (int i = 1; i < p.opcode_base; i++)
            p.lengths[i] = (u8)unit.number(1);
        run_line_program(program, p, rows);
    }
}

// A section of the executable; empty when it is not there, or compressed.
static std::vector<u8> section(const char *name)
{
    std::vector<u8> bytes;
    FILE *f = fopen("/proc/self/exe", "rb");
    ElfW(Ehdr) header;
    if (!f)
        return bytes;
    auto read_at = [f](u64 offset, void *to, size_t n) {
        return fseek(f, (long)offset, SEEK_SET) == 0 && (n == 0 || fread(to, n, 1, f) == 1);
    };
    std::vector<ElfW(Shdr)> list;
    std::vector<char> names;
    bool good = read_at(0, &header, sizeof header);
    if (good) {
        list.resize(header.e_shnum);
        good = read_at(header.e_shoff, list.data(), list.size() * sizeof list[0]) &&
               header.e_shstrndx < list.size();
    }
    if (good) {
        names.resize(list[header.e_shstrndx].sh_size + 1);
        good = read_at(list[header.e_shstrndx].sh_offset, names.data(), names.size() - 1);
    }
    for (const auto &s : list)
        if (good && s.sh_name < names.size() && strcmp(&names[s.sh_name], name) == 0 &&
            !(s.sh_flags & SHF_COMPRESSED)) {
            bytes.resize(s.sh_size);
            if (!read_at(s.sh_offset, bytes.data(), bytes.size()))
                bytes.clear();
        }
    fclose(f);
    return bytes;
}

bool line_and_column(Pc pc, u32 *line, u32 *column)
{
    static const std::vector<LineRow> &rows = *[] {
        auto *all = new std::vector<LineRow>; // lives until the very end
        const std::vector<u8> bytes = section(".debug_line");
        read_line_table({bytes.data(), bytes.data() + bytes.size()}, *all);
        std::stable_sort(all->begin(), all->end(),
                         [](const LineRow &a, const LineRow &b) { return a.address < b.address; });
        return all;
    }();
    const u64 address = (u64)pc - 1 - code_base(); // within the call
    auto it = std::upper_bound(rows.begin(), rows.end(), address,
                               [](u64 a, const LineRow &row) { return a < row.address; });
    if (it == rows.begin() || (--it)->line == 0)
        return false;
    *line = it->line;
    *column = it->column;
    return true;
}

} // namespace emulated
