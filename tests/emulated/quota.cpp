/* quota.cpp: made-up control groups of both versions, and the emulated device's reading of them. */
#include "../../emulated/runtime/quota.cpp"

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

static std::string top;
static int wrong;

static void put(const std::string &path, const char *text)
{
    for (size_t i = path.find('/'); i != std::string::npos; i = path.find('/', i + 1))
        mkdir((top + "/" + path.substr(0, i)).c_str(), 0755);
    FILE *f = fopen((top + "/" + path).c_str(), "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        exit(2);
}
static void expect(const char *what, const char *groups, int cores)
{
    put("groups", groups);
    const int got = emulated::cores_of_quota(top + "/groups", top + "/fs");
    if (got != cores) {
        printf("FAILED: %s: %d cores instead of %d\n", what, got, cores);
        wrong = 1;
    }
}

int main()
{
    char name[] = "quota.XXXXXX";
    if (!mkdtemp(name))
        return 2;
    top = name;
    put("fs/a/b/cpu.max", "250000 100000\n");
    put("fs/a/cpu.max", "150000 100000\n");
    put("fs/free/cpu.max", "max 100000\n");
    put("fs/small/cpu.max", "50000 100000\n");
    put("fs/cpu,cpuacct/job/step/cpu.cfs_quota_us", "400000\n");
    put("fs/cpu,cpuacct/job/step/cpu.cfs_period_us", "100000\n");
    put("fs/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    put("fs/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    put("fs/cpu/cpu.cfs_quota_us", "300000\n");
    put("fs/cpu/cpu.cfs_period_us", "100000\n");
    expect("version 2, the group above is narrower", "0::/a/b\n", 1);
    expect("version 2, no quota", "0::/free\n", 0);
    expect("version 2, less than a core", "0::/small\n", 1);
    expect("version 2, a path that is not to be seen", "0::/elsewhere/x\n", 0);
    expect("version 1", "4:memory:/job\n3:cpu,cpuacct:/job/step\n0::/free\n", 3);
    expect("version 1, not the group's path but the top", "3:cpu:/outside/job\n", 3);
    expect("version 1, another controller", "5:cpuset:/job/step\n", 0);
    expect("nothing", "", 0);
    const std::string remove = "rm -rf " + top;
    return system(remove.c_str()) != 0 || wrong;
}
