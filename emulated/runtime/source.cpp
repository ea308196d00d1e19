// source.cpp: from an instruction's address to the author's line, from a variable's address to its
// name.
#include "emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_BACKTRACE
#include <backtrace.h>
#endif

namespace emulated
{

static std::vector<Symbol> symbols EMULATED_EARLY, shared_list EMULATED_EARLY;
static u64 base, image_size, constants_begin[8], constants_end[8];
static int constants_count;

u64 code_base() { return base; }
u64 shared_image_size() { return image_size; }

bool in_executable_constants(u64 address, u32 bytes)
{
    for (int i = 0; i < constants_count; i++)
        if (address >= constants_begin[i] && address + bytes <= constants_end[i])
            return true;
    return false;
}

static int read_segments(dl_phdr_info *info, size_t, void *)
{
    base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) &p = info->dlpi_phdr[i];
        if (p.p_type == PT_TLS)
            image_size = p.p_memsz;
        bool constants = (p.p_type == PT_LOAD && !(p.p_flags & PF_W)) || p.p_type == PT_GNU_RELRO;
        if (constants && constants_count < 8) {
            constants_begin[constants_count] = base + p.p_vaddr;
            constants_end[constants_count++] = base + p.p_vaddr + p.p_memsz;
        }
    }
    return 1; // the first is the executable
}

static bool read_at(FILE *f, u64 offset, void *to, size_t bytes)
{
    return fseek(f, (long)offset, SEEK_SET) == 0 && (bytes == 0 || fread(to, bytes, 1, f) == 1);
}

// The names of functions and of variables on the device, from the executable's symbol table.
static void read_symbols()
{
    FILE *f = fopen("/proc/self/exe", "rb");
    ElfW(Ehdr) header;
    if (!f)
        return;
    std::vector<ElfW(Shdr)> sections;
    if (read_at(f, 0, &header, sizeof header)) {
        sections.resize(header.e_shnum);
        if (!read_at(f, header.e_shoff, sections.data(), sections.size() * sizeof sections[0]))
            sections.clear();
    }
    for (const auto &section : sections) {
        if (section.sh_type != SHT_SYMTAB)
            continue;
        std::vector<ElfW(Sym)> table(section.sh_size / sizeof(ElfW(Sym)));
        const auto &string_section = sections[section.sh_link];
        std::vector<char> strings(string_section.sh_size);
        if (!read_at(f, section.sh_offset, table.data(), section.sh_size) ||
            !read_at(f, string_section.sh_offset, strings.data(), strings.size()))
            continue;
        for (const auto &s : table) {
            int type = ELF64_ST_TYPE(s.st_info);
            if (!s.st_size || !s.st_shndx)
                continue;
            if (type == STT_TLS && strstr(&strings[s.st_name], "emulated_guard_"))
                continue; // nobody's memory (translate.c)
            if (type == STT_TLS)
                shared_list.push_back({s.st_value, s.st_size, &strings[s.st_name], false});
            else if (type == STT_OBJECT || type == STT_FUNC)
                symbols.push_back(
                    {base + s.st_value, s.st_size, &strings[s.st_name], type == STT_FUNC});
        }
    }
    fclose(f);
    auto by_address = [](const Symbol &a, const Symbol &b) { return a.address < b.address; };
    std::sort(symbols.begin(), symbols.end(), by_address);
    std::sort(shared_list.begin(), shared_list.end(), by_address);
}

const std::vector<Symbol> &shared_symbols() { return shared_list; }

std::vector<Symbol> variables_between(u64 begin, u64 end)
{
    std::vector<Symbol> found;
    for (const Symbol &s : symbols)
        if (!s.function && s.address >= begin && s.address < end &&
            s.name.find("emulated_guard_") == std::string::npos)
            found.push_back(s);
    return found;
}

const Symbol *symbol_at(u64 address)
{
    auto it = std::upper_bound(symbols.begin(), symbols.end(), address,
                               [](u64 a, const Symbol &s) { return a < s.address; });
    for (int back = 0; it != symbols.begin() && back < 16; back++) {
        --it;
        if (address < it->address + it->size)
            return &*it;
    }
    return nullptr;
}

// A variable s in function f() has the name _ZZ1fvE1s: the function's own name is part of it.
static bool is_local_of(const Symbol &variable, const Symbol &function)
{
    if (function.name.compare(0, 2, "_Z") != 0)
        return false;
    const std::string prefix = "_ZZ" + function.name.substr(2) + "E";
    return variable.name.compare(0, prefix.size(), prefix) == 0;
}

u64 static_shared_of(const Symbol &kernel)
{
    u64 bytes = 0;
    for (const Symbol &s : shared_list)
        if (is_local_of(s, kernel))
            bytes = (bytes + 15) / 16 * 16 + s.size;
    return bytes;
}

std::string kernel_of_shared(const Symbol &variable)
{
    for (const Symbol &s : symbols)
        if (s.function && is_local_of(variable, s))
            return is_kernel(s.address) ? demangled_name(s.name) : "";
    return "";
}

// ---- what kernels say of their launches (launch.h) ----------------------------------------------

struct Says {
    u64 where, kind, x, y, z;
};
extern "C" {
extern const Says __start_emulated_kernels[] __attribute__((weak)),
    __stop_emulated_kernels[] __attribute__((weak));
// where kernels begin, by g++'s attribute patchable_function_entry; a shared library's are its own
extern const u64 __start___patchable_function_entries[] __attribute__((weak)),
    __stop___patchable_function_entries[] __attribute__((weak));
extern const char __executable_start, etext; // of the program
}

bool is_kernel(u64 code)
{
    static const u8 kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa}; // comes first with -fcf-protection
    const bool has_mark = memcmp((const void *)code, kEndbr64, sizeof kEndbr64) == 0;
    const u64 entry = has_mark ? code + sizeof kEndbr64 : code;
    if (std::find(__start___patchable_function_entries, __stop___patchable_function_entries,
                  entry) != __stop___patchable_function_entries)
        return true;
    return code < (u64)&__executable_start || code >= (u64)&etext;
}

Bounds bounds_of(u64 code)
{
    Bounds b = {};
    const Symbol *kernel = code ? symbol_at(code) : nullptr;
    for (const Says *s = __start_emulated_kernels; kernel && s < __stop_emulated_kernels; s++) {
        if (s->where - kernel->address >= kernel->size)
            continue;
        if (s->kind == 1)
            b.cluster = {(u32)s->x, (u32)s->y, (u32)s->z};
        else {
            b.threads = (u32)s->x;
            b.blocks = (u32)s->y;
        }
    }
    return b;
}

bool belongs_to_runtime(const Symbol &s)
{
    for (const char *begin : {"_ZN8emulated", "_ZZN8emulated"})
        if (s.name.compare(0, strlen(begin), begin) == 0)
            return true;
    return false;
}

std::string demangled_name(const std::string &symbol)
{
    int status;
    // or a variable i would come out as the type int
    const bool mangled = symbol.compare(0, 2, "_Z") == 0;
    char *text = mangled ? abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status) : nullptr;
    std::string name = text ? text : symbol;
    free(text);
    // "void scale<float>(float*)::tile" and "f(int)": the last name at depth 0, without parameters
    int depth = 0;
    size_t begin = 0, end = name.size();
    for (size_t i = 0; i < name.size(); i++) {
        char c = name[i];
        if (c == '(' && depth == 0)
            end = i;
        if (c == '(' || c == '<')
            depth++;
        else if (c == ')' || c == '>')
            depth--;
        else if (depth == 0 && (c == ' ' || (c == ':' && i > 0 && name[i - 1] == ':'))) {
            begin = i + 1;
            end = name.size();
        }
    }
    return name.substr(begin, end - begin);
}

// Frames in our own headers (in the sources or as installed, cc/places.c) and in the C++ library's
// are not the author's: the inlined caller is.
static bool is_library(const char *file)
{
    return strstr(file, "/emulated/include/") || strstr(file, "/emulated-nvcc/include/") ||
           strstr(file, "/include/c++/");
}

static std::string base_name(const std::string &file)
{
    size_t slash = file.rfind('/');
    return slash == std::string::npos ? file : file.substr(slash + 1);
}

// g++ gives an argument that is read behind an inlined function the last line of that function:
// "return w;" or "}". The caller's line is meant then.
static bool is_end_of_function(const std::string &path, int line)
{
    const std::string text = source_line(path, (u32)line);
    size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos)
        return false;
    if (text.compare(begin, 7, "return ") == 0)
        for (begin += 7; isalnum((unsigned char)text[begin]) || text[begin] == '_';)
            begin++;
    return text.substr(begin) == "}" || text.substr(begin) == ";";
}

// From the innermost of inlined functions on, until one of another file calls the one that is
// meant. True: that is all.
struct Frames {
    Place place;
    bool found = false;
};
static bool take_frame(Frames *frames, const std::string &path, int line, const char *function)
{
    Place &place = frames->place;
    if (!frames->found) {
        place.path = path;
        place.file = base_name(path);
        place.line = line;
        place.function = function ? function : "";
        frames->found = !is_end_of_function(path, line);
    } else if (path != place.path)
        place.caller = base_name(path) + ":" + std::to_string(line);
    return !place.caller.empty();
}

#ifdef HAVE_BACKTRACE
static int visit_frame(void *frames, uintptr_t, const char *file, int line, const char *function)
{
    return file && !is_library(file) && take_frame((Frames *)frames, file, line, function);
}

static void ignore_error(void *, const char *, int) {}

// Kernels stand in the executable. libbacktrace would read every shared library, too, with all of
// the debugging information that is installed for it: 0.1 s for a C library, at each start of a
// program.
static thread_local bool executable_only;

struct Visitor {
    int (*call)(dl_phdr_info *, size_t, void *);
    void *data;
};
static int visit_first(dl_phdr_info *info, size_t size, void *visitor)
{
    const Visitor *v = (const Visitor *)visitor;
    v->call(info, size, v->data);
    return 1; // and no further: the first is the executable
}

extern "C" int __real_dl_iterate_phdr(int (*call)(dl_phdr_info *, size_t, void *), void *data);
extern "C" int __wrap_dl_iterate_phdr(int (*call)(dl_phdr_info *, size_t, void *), void *data)
{
    Visitor visitor = {call, data};
    return executable_only ? __real_dl_iterate_phdr(visit_first, &visitor)
                           : __real_dl_iterate_phdr(call, data);
}

static Place look_up(Pc pc)
{
    static backtrace_state *state =
        backtrace_create_state("/proc/self/exe", 0, ignore_error, nullptr);
    Frames frames;
    executable_only = true;
    if (state)
        backtrace_pcinfo(state, (uintptr_t)pc - 1, visit_frame, ignore_error, &frames);
    executable_only = false;
    return frames.place;
}
#else
// binutils are always beside gcc. One call per place, each some 50 ms: only findings and counters
// ask.
static Place look_up(Pc pc)
{
    Frames frames;
    char exe[4096], command[4300];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0 || memchr(exe, '\'', (size_t)n))
        return frames.place;
    exe[n] = '\0';
    snprintf(command, sizeof command, "addr2line -i -f -e '%s' 0x%llx 2>/dev/null", exe,
             (unsigned long long)((u64)pc - 1 - base));
    FILE *p = popen(command, "r");
    char function[1024], line[4096];
    while (p && fgets(function, sizeof function, p) && fgets(line, sizeof line, p)) {
        char *colon = strrchr(line, ':');
        if (!colon || is_library(line) || line[0] == '?')
            continue;
        *colon = '\0';
        function[strcspn(function, "\n")] = '\0';
        if (take_frame(&frames, line, atoi(colon + 1), function))
            break;
    }
    if (p)
        pclose(p);
    return frames.place;
}
#endif

// g++ gives what an argument of a call reads the line where a template is instantiated, if the
// function that is called is the template's parameter: that of the launch. The instructions right
// before it have the kernel's. What is inlined, such as a lambda there, has its own.
static Place line_of_kernel(Pc pc, const Place &place)
{
    const Symbol *kernel = symbol_at((u64)pc);
    if (!launch_now.place || pc == launch_now.place || !kernel ||
        symbol_at((u64)launch_now.place) == kernel ||
        (place.function.compare(0, 2, "_Z") == 0 && place.function != kernel->name))
        return place;
    const Place &launch = place_of(launch_now.place);
    if (place.line != launch.line || place.path != launch.path)
        return place;
    for (u64 at = (u64)pc - 1; (u64)pc - at < 64 && symbol_at(at) == kernel; at--) {
        const Place before = look_up((Pc)at);
        if (before.path == place.path && before.line != place.line)
            return before;
    }
    return place;
}

const Place &place_of(Pc pc)
{
    static std::map<Pc, Place> &known_places = *new std::map<Pc, Place>; // lives until the very end
    auto it = known_places.find(pc);
    if (it == known_places.end()) {
        it = known_places.emplace(pc, pc ? line_of_kernel(pc, look_up(pc)) : Place()).first;
        u32 line, column; // of the innermost inlined function, which may be one of ours
        if (it->second.line && line_and_column(pc, &line, &column) && (int)line == it->second.line)
            it->second.column = (int)column;
    }
    return it->second;
}

std::string place_name(Pc pc)
{
    const Place &p = place_of(pc);
    return p.line ? p.file + ":" + std::to_string(p.line) : "an unknown line";
}

Pc in_program(Pc pc) { return place_of(pc).line ? pc : launch_now.place; }

// A line of the program's source, without its newline; "" when the file is not there or younger
// than the program.
std::string source_line(const std::string &path, u32 line)
{
    static std::map<std::string, std::vector<std::string>> &files =
        *new std::map<std::string, std::vector<std::string>>;
    auto found = files.find(path);
    if (found == files.end()) {
        found = files.emplace(path, std::vector<std::string>()).first;
        struct stat program, source;
        const int self = open("/proc/self/exe", O_RDONLY); // stat() would see an emulator, if any
        FILE *f = self >= 0 && fstat(self, &program) == 0 && stat(path.c_str(), &source) == 0 &&
                          source.st_mtime <= program.st_mtime
                      ? fopen(path.c_str(), "r")
                      : nullptr;
        if (self >= 0)
            close(self);
        std::string text;
        for (int c; f && (c = fgetc(f)) != EOF;)
            if (c == '\n') {
                found->second.push_back(text);
                text.clear();
            } else
                text += (char)c;
        if (f)
            fclose(f);
    }
    return line >= 1 && line <= found->second.size() ? found->second[line - 1] : "";
}

void source_init()
{
    dl_iterate_phdr(read_segments, nullptr);
    read_symbols();
}

std::string source_of(Pc pc)
{
    const Place &place = place_of(pc);
    return source_line(place.path, (u32)place.line);
}

} // namespace emulated
