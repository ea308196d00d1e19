/* thrust/complex.h: complex numbers for host and device. */
#ifndef EMULATED_THRUST_COMPLEX_H
#define EMULATED_THRUST_COMPLEX_H
#include <cmath>
#include <complex>
#include <ostream>

#include "../emulated/thrust.h"

namespace thrust
{

template <class T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    complex(T re = T(), T im = T()) : re_(re), im_(im) {}
    template <class U> complex(const complex<U> &z) : re_((T)z.real()), im_((T)z.imag()) {}
    template <class U> complex(const ::std::complex<U> &z) : re_((T)z.real()), im_((T)z.imag()) {}
    EMULATED_INLINE T real() const { return re_; }
    EMULATED_INLINE T imag() const { return im_; }
    EMULATED_INLINE void real(T re) { re_ = re; }
    EMULATED_INLINE void imag(T im) { im_ = im; }
    operator ::std::complex<T>() const { return ::std::complex<T>(re_, im_); }
    complex &operator+=(const complex &z) { return *this = *this + z; }
    complex &operator-=(const complex &z) { return *this = *this - z; }
    complex &operator*=(const complex &z) { return *this = *this * z; }
    complex &operator/=(const complex &z) { return *this = *this / z; }
    friend complex operator+(const complex &a, const complex &b)
    {
        return complex(a.re_ + b.re_, a.im_ + b.im_);
    }
    friend complex operator-(const complex &a, const complex &b)
    {
        return complex(a.re_ - b.re_, a.im_ - b.im_);
    }
    friend complex operator*(const complex &a, const complex &b)
    {
        return complex(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
    }
    friend complex operator/(const complex &a, const complex &b)
    {
        const T square = b.re_ * b.re_ + b.im_ * b.im_;
        return complex((a.re_ * b.re_ + a.im_ * b.im_) / square,
                       (a.im_ * b.re_ - a.re_ * b.im_) / square);
    }
    friend complex operator-(const complex &z) { return complex(-z.re_, -z.im_); }
    friend bool operator==(const complex &a, const complex &b)
    {
        return a.re_ == b.re_ && a.im_ == b.im_;
    }
    friend bool operator!=(const complex &a, const complex &b) { return !(a == b); }
    friend ::std::ostream &operator<<(::std::ostream &out, const complex &z)
    {
        return out << '(' << z.re_ << ',' << z.im_ << ')';
    }

  private:
    T re_, im_;
};
template <class T> static inline T norm(const complex<T> &z)
{
    return z.real() * z.real() + z.imag() * z.imag();
}
template <class T> static inline T abs(const complex<T> &z)
{
    return ::std::hypot(z.real(), z.imag());
}
template <class T> static inline T arg(const complex<T> &z)
{
    return ::std::atan2(z.imag(), z.real());
}
template <class T> static inline complex<T> conj(const complex<T> &z)
{
    return complex<T>(z.real(), -z.imag());
}
template <class T> static inline complex<T> polar(T r, T angle)
{
    return complex<T>(r * ::std::cos(angle), r * ::std::sin(angle));
}
template <class T> static inline complex<T> exp(const complex<T> &z)
{
    return polar(::std::exp(z.real()), z.imag());
}
template <class T> static inline complex<T> sqrt(const complex<T> &z)
{
    return complex<T>(::std::sqrt(::std::complex<T>(z)));
}

} // namespace thrust
#endif
