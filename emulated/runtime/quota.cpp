// quota.cpp: the number of cores that this process's control groups allow, in version 1 and version
// 2.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

namespace emulated
{

int cores_of_quota(const std::string &groups, const std::string &mount);

static bool read_numbers(const std::string &path, double *a, double *b)
{
    FILE *f = fopen(path.c_str(), "r");
    if (!f)
        return false;
    const bool good = fscanf(f, "%lf", a) == 1 && (!b || fscanf(f, "%lf", b) == 1);
    fclose(f);
    return good;
}

// Calls look(folder) for a group and all that it lies in. In a container the paths are often those
// of the machine outside, and only the top is to be seen.
template <class F> static void upwards(const std::string &mount, std::string path, F look)
{
    while (path.size() > 1) {
        look(mount + path);
        path.resize(path.rfind('/'));
    }
    look(mount);
}

// `groups`: /proc/self/cgroup, with a line number:controllers:path for each hierarchy; that of
// version 2 is 0::path. 0: no quota.
int cores_of_quota(const std::string &groups, const std::string &mount)
{
    double least = 0;
    const auto take = [&least](double quota, double period) {
        if (quota > 0 && period > 0)
            least = least > 0 ? std::min(least, quota / period) : quota / period;
    };
    char line[4096];
    FILE *f = fopen(groups.c_str(), "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        const char *first = strchr(line, ':'), *second = first ? strchr(first + 1, ':') : nullptr;
        if (!second)
            continue;
        const std::string controllers(first + 1, second), path = second + 1;
        if (controllers.empty())
            upwards(mount, path, [&](const std::string &folder) {
                double quota, period; // "max 100000": no limit
                if (read_numbers(folder + "/cpu.max", &quota, &period))
                    take(quota, period);
            });
        else if (("," + controllers + ",").find(",cpu,") != std::string::npos)
            for (const std::string &hierarchy : {mount + "/" + controllers, mount + "/cpu"})
                upwards(hierarchy, path, [&](const std::string &folder) {
                    double quota, period; // -1: no limit
                    if (read_numbers(folder + "/cpu.cfs_quota_us", &quota, nullptr) &&
                        read_numbers(folder + "/cpu.cfs_period_us", &period, nullptr))
                        take(quota, period);
                });
    }
    if (f)
        fclose(f);
    return least > 0 ? std::max(1, (int)least) : 0;
}

} // namespace emulated
