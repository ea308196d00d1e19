/* Thrust's algorithms on whole ranges, on the device and on the host, against those of the C++
 * library. */
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/fill.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cases.h"

typedef std::vector<int> list;
enum { N = 200 };
template <class V> static list listed(const V &v, size_t n)
{
    thrust::host_vector<int> h = v;
    return list(h.begin(), h.begin() + (long)n);
}
static list numbers(int factor, int modulus)
{
    list x(N);
    for (int i = 0; i < N; i++)
        x[(size_t)i] = i * factor % modulus;
    return x;
}

struct even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct twice {
    __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct tens { /* of the same ten */
    __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

template <class V> static void parted()
{
    const list x = numbers(37, 101);
    list sorted = x, want(N), rest(N);
    V v = x, yes(N), no(N);
    const size_t first = (size_t)(thrust::stable_partition(v.begin(), v.end(), even()) - v.begin());
    std::stable_partition(sorted.begin(), sorted.end(), even());
    must(listed(v, N) == sorted, "stable_partition");
    must(thrust::is_partitioned(v.begin(), v.end(), even()), "is_partitioned");
    must(thrust::partition_point(v.begin(), v.end(), even()) - v.begin() == (long)first,
         "partition_point");
    v = x;
    must(thrust::partition(v.begin(), v.end(), even()) - v.begin() == (long)first, "partition");
    v = x;
    must(thrust::partition_copy(v.begin(), v.end(), yes.begin(), no.begin(), even()).second -
                 no.begin() ==
             (long)(N - first),
         "partition_copy");
    std::partition_copy(x.begin(), x.end(), want.begin(), rest.begin(), even());
    must(listed(yes, first) == list(want.begin(), want.begin() + (long)first), "the selected ones");
    thrust::remove_copy_if(v.begin(), v.end(), yes.begin(), even());
    must(listed(yes, N - first) == list(rest.begin(), rest.begin() + (long)(N - first)),
         "remove_copy_if");
    must(thrust::any_of(v.begin(), v.end(), even()) &&
             !thrust::all_of(v.begin(), v.end(), even()) &&
             !thrust::none_of(v.begin(), v.end(), even()),
         "any_of, all_of, none_of");
    must(*thrust::find_if_not(v.begin(), v.end(), even()) == 37, "find_if_not");
}
template <class V> static void united()
{
    list x = numbers(37, 101), y = numbers(53, 97);
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    const V a = x, b = y;
    V v(2 * N);
#define UNITED(name)                                                                               \
    do {                                                                                           \
        list want(2 * N);                                                                          \
        const auto end = std::name(x.begin(), x.end(), y.begin(), y.end(), want.begin());          \
        const auto got = thrust::name(a.begin(), a.end(), b.begin(), b.end(), v.begin());          \
        must(got - v.begin() == end - want.begin(), #name ": how many");                           \
        want.resize((size_t)(end - want.begin()));                                                 \
        must(listed(v, want.size()) == want, #name);                                               \
    } while (0)
    UNITED(merge);
    UNITED(set_union);
    UNITED(set_intersection);
    UNITED(set_difference);
    UNITED(set_symmetric_difference);
}
template <class V> static void compared()
{
    const list x = numbers(37, 101);
    V a = x, b = x;
    must(thrust::equal(a.begin(), a.end(), b.begin()) && a == b, "equal");
    b[70] = 1000;
    must(!thrust::equal(a.begin(), a.end(), b.begin()) && a != b, "not equal");
    must(thrust::mismatch(a.begin(), a.end(), b.begin()).second - b.begin() == 70, "mismatch");
    thrust::reverse(a.begin(), a.end());
    must(listed(a, N) == list(x.rbegin(), x.rend()), "reverse");
    thrust::copy(thrust::make_reverse_iterator(a.end()), thrust::make_reverse_iterator(a.begin()),
                 b.begin());
    must(listed(b, N) == x, "reverse_iterator");
    thrust::swap_ranges(a.begin(), a.end(), b.begin());
    must(listed(a, N) == x && b[0] == x[N - 1], "swap_ranges");
    thrust::swap(a, b);
    must(listed(b, N) == x, "swap");
}
template <class V> static void byKey()
{
    list keys(N), x = numbers(37, 101), in(N), ex(N);
    for (int i = 0; i < N; i++)
        keys[(size_t)i] = i / 7;
    for (size_t i = 0; i < N; i++) {
        ex[i] = i % 7 ? in[i - 1] : 0;
        in[i] = ex[i] + x[i];
    }
    V k = keys, v = x, w(N);
    thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), w.begin());
    must(listed(w, N) == in, "inclusive_scan_by_key");
    thrust::exclusive_scan_by_key(k.begin(), k.end(), v.begin(), w.begin());
    must(listed(w, N) == ex, "exclusive_scan_by_key");
    const auto end =
        thrust::reduce_by_key(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(N),
                              v.begin(), thrust::make_discard_iterator(), w.begin(), tens(),
                              thrust::maximum<int>())
            .second;
    must(end - w.begin() == N / 10, "reduce_by_key: how many");
    must(w[0] == *std::max_element(x.begin(), x.begin() + 10), "reduce_by_key");
    V sorted = x;
    thrust::sort(sorted.begin(), sorted.end());
    must(thrust::unique_copy(sorted.begin(), sorted.end(), w.begin(), tens()) - w.begin() == 11,
         "unique_copy");
    must(thrust::unique(sorted.begin(), sorted.end(), tens()) - sorted.begin() == 11, "unique");
    thrust::transform_inclusive_scan(v.begin(), v.end(), w.begin(), twice(), thrust::plus<int>());
    must(w[N - 1] == 2 * std::accumulate(x.begin(), x.end(), 0), "transform_inclusive_scan");
    thrust::transform_exclusive_scan(v.begin(), v.end(), w.begin(), twice(), 5,
                                     thrust::plus<int>());
    must(w[0] == 5 && w[1] == 5 + 2 * x[0], "transform_exclusive_scan");
}
template <class V> static void chosen()
{
    const list x = numbers(37, 101);
    V v = x, w(N, -1), map(N), odd(N);
    thrust::transform_if(v.begin(), v.end(), w.begin(), twice(), even());
    must(w[1] == -1 && w[3] == 2 * x[3] && x[3] == 10, "transform_if");
    for (int i = 0; i < N; i++)
        map[(size_t)i] = N - 1 - i, odd[(size_t)i] = i % 2;
    thrust::fill(w.begin(), w.end(), -1);
    thrust::scatter_if(v.begin(), v.end(), map.begin(), odd.begin(), w.begin());
    must(w[N - 2] == x[1] && w[N - 1] == -1, "scatter_if");
    thrust::fill(w.begin(), w.end(), -1);
    thrust::gather_if(map.begin(), map.end(), odd.begin(), v.begin(), w.begin());
    must(w[1] == x[N - 2] && w[0] == -1, "gather_if");
    V key = x, other(N, 3);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(other.begin(), key.begin()));
    thrust::sort(pairs, pairs + N); /* by the second, since the first ones are equal */
    must(key[0] == 0 && key[N - 1] == 100 && other[0] == 3, "sorted pairs");
}
template <class V> static void all()
{
    parted<V>();
    united<V>();
    compared<V>();
    byKey<V>();
    chosen<V>();
}
static void onTheDevice(void) { all<thrust::device_vector<int>>(); }
static void onTheHost(void) { all<thrust::host_vector<int>>(); }
static void vectorsOfTheDevice(void)
{
    thrust::device_vector<int, thrust::device_allocator<int>> v(10, 4);
    v.insert(v.begin() + 2, 7);
    must(v.size() == 11 && v[2] == 7 && v[3] == 4, "insert");
    v.erase(v.begin());
    must(v.size() == 10 && v[1] == 7, "erase");
    v.pop_back();
    must(v.size() == 9, "pop_back");
    v.assign(3, 5);
    must(v.size() == 3 && v[2] == 5, "assign");
    thrust::device_ptr<int> p = thrust::device_malloc<int>(10);
    thrust::fill(p, p + 10, 3);
    must(thrust::reduce(p, p + 10) == 30, "device_malloc");
    thrust::device_free(p);
}
static void pastTheEnd(void)
{
    thrust::device_vector<int> a(N, 1), b(N, 2), v(2 * N - 1);
    thrust::merge(a.begin(), a.end(), b.begin(), b.end(), v.begin());
}
static void nothing(void) {}

static const struct test tests[] = {
    CLEAN(onTheDevice),
    CLEAN(onTheHost),
    CLEAN(vectorsOfTheDevice),
    FINDS(pastTheEnd, "out-of-bounds", "past the end"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, nothing, argc, argv);
}
