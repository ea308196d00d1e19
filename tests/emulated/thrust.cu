/* The Thrust that courses use, against plain loops, on the device and on the host; and what misuse
 * is called. */
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/distance.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/version.h>

#include "cases.h"

enum { N = 1000 };
struct saxpy {
    float a;
    __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};
struct squared {
    __host__ __device__ float operator()(float x) const { return x * x; }
};
struct numbered { /* not const, as Thrust takes it, too */
    __host__ __device__ float operator()(float x) { return x * x; }
};
struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct is_odd { /* not const */
    __host__ __device__ bool operator()(int x) { return x % 2 != 0; }
};
struct product_of_pair {
    template <class Pair> __host__ __device__ float operator()(const Pair &p) const
    {
        return thrust::get<0>(p) * thrust::get<1>(p);
    }
};

static void vectors(void)
{
    thrust::host_vector<int> h(4);
    for (int i = 0; i < 4; i++)
        h[i] = i * i;
    thrust::device_vector<int> d = h, e(3, 7), empty;
    d[1] = 10;
    e = d;
    e.resize(6, -1);
    e.push_back(5);
    thrust::host_vector<int> back = e;
    const int wanted[] = {0, 10, 4, 9, -1, -1, 5};
    must(back.size() == 7 && std::equal(back.begin(), back.end(), wanted) && empty.empty(),
         "vectors");
    int *raw = thrust::raw_pointer_cast(e.data()), first;
    CHECK(cudaMemcpy(&first, raw + 1, sizeof first, cudaMemcpyDeviceToHost));
    must(first == 10, "a raw pointer");
    thrust::copy(d.begin(), d.end(), h.begin());
    must(h[1] == 10 && h[3] == 9, "copy");
}

static void elementwise(void)
{
    thrust::device_vector<float> x(N), y(N, 2.0f), z(N);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), saxpy{3});
    thrust::host_vector<float> h = z;
    for (int i = 0; i < N; i++)
        must(h[i] == 3.0f * i + 2, "saxpy");
    thrust::transform(z.begin(), z.end(), z.begin(), thrust::negate<float>());
    must(z[5] == -17, "negate");
    thrust::fill(thrust::device, thrust::raw_pointer_cast(z.data()),
                 thrust::raw_pointer_cast(z.data()) + N, 4.0f);
    must(thrust::reduce(z.begin(), z.end()) == 4 * N, "fill by a raw pointer");
}

static void reductions(void)
{
    thrust::device_vector<int> v(N);
    thrust::sequence(v.begin(), v.end(), 1);
    must(thrust::reduce(v.begin(), v.end()) == N * (N + 1) / 2, "a sum");
    must(thrust::reduce(v.begin(), v.end(), 0, thrust::maximum<int>()) == N, "a maximum");
    must(thrust::count(v.begin(), v.end(), 17) == 1 &&
             thrust::count_if(v.begin(), v.end(), is_even()) == N / 2,
         "counts");
    must(thrust::max_element(v.begin(), v.end()) - v.begin() == N - 1, "the place of the largest");
    must(thrust::is_sorted(v.begin(), v.end()) &&
             !thrust::is_sorted(v.begin(), v.end(), thrust::greater<int>()),
         "order");
    thrust::device_vector<int> gaps(N);
    thrust::adjacent_difference(v.begin(), v.end(), gaps.begin());
    must(thrust::count(gaps.begin(), gaps.end(), 1) == N, "differences");
    gaps[3] = 8;
    must(thrust::remove(gaps.begin(), gaps.end(), 1) - gaps.begin() == 1 && gaps[0] == 8,
         "removed");
    thrust::device_vector<float> x(3);
    x[0] = 1;
    x[1] = 2;
    x[2] = 3;
    must(thrust::transform_reduce(x.begin(), x.end(), squared(), 0.0f, thrust::plus<float>()) == 14,
         "a norm");
    must(thrust::inner_product(x.begin(), x.end(), x.begin(), 1.0f) == 15, "an inner product");
    must(thrust::reduce(thrust::make_counting_iterator(0), thrust::make_counting_iterator(5)) == 10,
         "counted");
    thrust::device_vector<float> y(3, 0.5f);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    must(thrust::transform_reduce(pairs, pairs + 3, product_of_pair(), 0.0f,
                                  thrust::plus<float>()) == 3,
         "a zip");
    must(thrust::transform_reduce(x.begin(), x.end(), numbered(), 0.0f, thrust::plus<float>()) ==
             14,
         "not const");
    typedef thrust::device_vector<float>::iterator element;
    thrust::zip_iterator<thrust::tuple<element, element>> named = pairs;
    must(thrust::get<0>(named[2]) == 3 && thrust::get<1>(*named) == 0.5f, "a zip by its type");
    auto squares = thrust::make_transform_iterator(x.begin(), squared());
    must(thrust::reduce(squares, squares + 3) == 14, "a transforming iterator");
}

/* How many elements are at most 0, 1, 2, ...: a histogram added up, as Thrust's users write it. */
static void searched(void)
{
    const int sorted[] = {0, 0, 1, 3, 3, 3, 4};
    thrust::device_vector<int> x(sorted, sorted + 7), above(5), from(5);
    thrust::counting_iterator<int> values(0);
    thrust::upper_bound(x.begin(), x.end(), values, values + 5, above.begin());
    thrust::lower_bound(thrust::device, x.begin(), x.end(), values, values + 5, from.begin());
    must(above[0] == 2 && above[1] == 3 && above[2] == 3 && above[3] == 6 && above[4] == 7,
         "upper bounds");
    must(from[0] == 0 && from[1] == 2 && from[2] == 3 && from[3] == 3 && from[4] == 6,
         "lower bounds");
    must(thrust::lower_bound(x.begin(), x.end(), 4) - x.begin() == 6, "one lower bound");
    must(thrust::binary_search(x.begin(), x.end(), 3) &&
             !thrust::binary_search(x.begin(), x.end(), 2),
         "found");
}

__global__ void divide(thrust::complex<float> *z)
{
    z[threadIdx.x] /= thrust::complex<float>(1, 1);
}
static void complexNumbers(void)
{
    thrust::device_vector<thrust::complex<float>> z(2, thrust::complex<float>(4, 2));
    divide<<<1, 2>>>(thrust::raw_pointer_cast(z.data()));
    const thrust::complex<float> a = z[1], b = conj(a) * a + 1.0f;
    must(a == thrust::complex<float>(3, -1) && norm(a) == 10 && b.real() == 11 && b.imag() == 0,
         "complex numbers");
    must(abs(thrust::complex<double>(3, 4)) == 5 && sqrt(thrust::complex<double>(-4)).imag() == 2,
         "their functions");
}

static void scansAndSorts(void)
{
    const int a[] = {5, 3, 8, 3, 1, 8};
    thrust::device_vector<int> v(a, a + 6), s(6), place(6);
    thrust::inclusive_scan(v.begin(), v.end(), s.begin());
    must(s[0] == 5 && s[5] == 28, "an inclusive scan");
    thrust::exclusive_scan(v.begin(), v.end(), v.begin(), 100);
    must(v[0] == 100 && v[5] == 120, "an exclusive scan in place");
    v = thrust::host_vector<int>(a, a + 6);
    thrust::sequence(place.begin(), place.end());
    thrust::sort_by_key(v.begin(), v.end(), place.begin());
    const int keys[] = {1, 3, 3, 5, 8, 8}, places[] = {4, 1, 3, 0, 2, 5};
    thrust::host_vector<int> hv = v, hp = place;
    must(std::equal(hv.begin(), hv.end(), keys) && std::equal(hp.begin(), hp.end(), places),
         "sort_by_key");
    thrust::device_vector<int> k(6), sums(6);
    auto ends = thrust::reduce_by_key(v.begin(), v.end(), thrust::make_constant_iterator(1),
                                      k.begin(), sums.begin());
    must(ends.first - k.begin() == 4 && k[1] == 3 && sums[1] == 2 && sums[3] == 2, "reduce_by_key");
    thrust::sort(v.begin(), v.end(), thrust::greater<int>());
    must(v[0] == 8 && v[5] == 1, "sort");
    must(thrust::unique(v.begin(), v.end()) - v.begin() == 4, "unique");
    thrust::host_vector<int> h(a, a + 6);
    thrust::sort(h.begin(), h.end());
    must(std::equal(h.begin(), h.end(), keys) && thrust::reduce(h.begin(), h.end()) == 28,
         "on the host");
}

/* The functor's pointer leads to the host, or its index past the end. */
struct looks_up {
    const float *table;
    __host__ __device__ float operator()(int i) const { return table[i]; }
};
static void lookUp(const float *table, int n)
{
    thrust::device_vector<float> out(n);
    thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n),
                      out.begin(), looks_up{table});
}
static float *deviceTable(void)
{
    float *p;
    CHECK(cudaMalloc(&p, 64 * sizeof *p));
    CHECK(cudaMemset(p, 0, 64 * sizeof *p));
    return p;
}
static void goodTable(void)
{
    float *p = deviceTable();
    lookUp(p, 64);
    CHECK(cudaFree(p));
}
static void shortTable(void)
{
    float *p = deviceTable();
    lookUp(p, 65);
    CHECK(cudaFree(p));
}
/* An object with virtual functions on the device's heap: its constructor says which they are. */
struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual int corners() const = 0;
};
struct triangle : shape {
    __device__ int corners() const { return 3; }
};
__device__ shape *d_shape;
__global__ void makeShape() { d_shape = new triangle; }
__global__ void askShape(int *n) { *n = d_shape->corners(); }
__global__ void deleteShape() { delete d_shape; }
static void virtualFunctions(void)
{
    thrust::device_vector<int> n(1);
    makeShape<<<1, 1>>>();
    askShape<<<1, 1>>>(thrust::raw_pointer_cast(&n[0]));
    deleteShape<<<1, 1>>>();
    must(n[0] == 3, "a virtual function");
}
/* The same on the device and on the host */
template <class Vector> static void rearrange(void)
{
    Vector v(N), places(N);
    thrust::sequence(v.begin(), v.end());
    thrust::sequence(places.begin(), places.end());
    thrust::shuffle(places.begin(), places.end(), thrust::default_random_engine(7));
    const auto begin = thrust::make_permutation_iterator(v.begin(), places.begin());
    must(begin[10] == places[10] && begin + N - begin == N, "permutation_iterator");
    Vector shuffled(N);
    thrust::copy(begin, begin + N, shuffled.begin());
    must(!thrust::is_sorted(shuffled.begin(), shuffled.end()), "shuffle: another order");
    const auto ends = thrust::minmax_element(shuffled.begin(), shuffled.end());
    must(*ends.first == 0 && *ends.second == N - 1, "minmax_element");
    must(places[thrust::distance(shuffled.begin(), ends.second)] == N - 1, "distance");
    thrust::sort(shuffled.begin(), shuffled.end());
    must(shuffled[0] == 0 && shuffled[N / 2] == N / 2 && shuffled[N - 1] == N - 1,
         "shuffle: no element lost");
    thrust::replace(v.begin(), v.end(), 3, -4);
    thrust::replace_if(v.begin(), v.end(), is_even(), -1);
    must(v[3] == -1 && v[4] == -1 && v[5] == 5, "replace");
    for (int i = 0; i < N; i++)
        v[i] = i / 10;
    thrust::sequence(places.begin(), places.end());
    const auto last = thrust::unique_by_key(v.begin(), v.end(), places.begin());
    must(last.first - v.begin() == N / 10 && last.second - places.begin() == N / 10,
         "unique_by_key: how many");
    must(v[7] == 7 && places[7] == 70, "unique_by_key");
    thrust::sequence(places.begin(), places.end());
    Vector chosen(N);
    const auto end =
        thrust::copy_if(places.begin(), places.begin() + 100, v.begin(), chosen.begin(), is_even());
    must(end - chosen.begin() == 50 && chosen[7] == 14, "copy_if with a stencil");
    const auto odd = thrust::remove_if(v.begin(), v.begin() + 100, places.begin(), is_even());
    must(odd - v.begin() == 50 && v[7] == 15, "remove_if with a stencil");
    thrust::replace_if(v.begin(), v.begin() + 10, places.begin(), is_odd(), 0);
    must(v[6] == 13 && v[7] == 0, "replace_if with a stencil");
    must(thrust::remove_if(places.begin(), places.begin() + 10, is_odd()) - places.begin() == 5,
         "remove_if");
    chosen.resize(5);
    chosen.shrink_to_fit();
    must(chosen.size() == 5 && chosen.capacity() == 5 && chosen[4] == 8, "shrink_to_fit");
}
static void rearranged(void)
{
    rearrange<thrust::device_vector<int>>();
    rearrange<thrust::host_vector<int>>();
    must(THRUST_VERSION >= 100000, "THRUST_VERSION");
    typedef thrust::tuple<char, double> Two;
    must(sizeof(thrust::tuple_element<1, Two>::type) == 8 && thrust::tuple_size<Two>::value == 2,
         "tuple_element");
}
/* Functions written as expressions of their arguments */
template <class Vector> static void expressions(void)
{
    using namespace thrust::placeholders;
    Vector x(N), y(N, 1);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), 3 * _1 + _2);
    must(y[5] == 16, "3 * _1 + _2");
    must(thrust::count_if(x.begin(), x.end(), _1 >= 10 && !(_1 % 2 == 0)) == 495, "a condition");
    thrust::for_each(y.begin(), y.end(), _1 -= 1);
    thrust::for_each(y.begin(), y.end(), _1 = _1 / 3);
    must(y[5] == 5 && y[N - 1] == N - 1, "assignments");
    must(thrust::transform_reduce(x.begin(), x.begin() + 5, -_1 * 2, 1, _1 + _2) == -19, "a sum");
    thrust::sort(x.begin(), x.end(), _1 > _2);
    must(x[0] == N - 1 && x[N - 1] == 0, "an order");
    must(thrust::make_transform_iterator(x.begin(), (_1 & 7) << 1)[4] == 6, "of an iterator");
}
static void placeholders(void)
{
    expressions<thrust::device_vector<int>>();
    expressions<thrust::host_vector<int>>();
    thrust::device_vector<int> v(3, 7);
    must(thrust::device_pointer_cast(v.data())[2] == 7, "a device_ptr stays one");
}
static void nothing(void) {}

static const struct test tests[] = {
    CLEAN(vectors),
    CLEAN(elementwise),
    CLEAN(searched),
    CLEAN(reductions),
    CLEAN(complexNumbers),
    CLEAN(scansAndSorts),
    CLEAN(rearranged),
    CLEAN(goodTable),
    CLEAN(virtualFunctions),
    CLEAN(placeholders),
    FINDS(shortTable, "out-of-bounds", "past the end"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, nothing, argc, argv);
}
