// library.h: shared by the emulated CUDA libraries. They run on the host, but their arrays are
// checked like a kernel's.
#ifndef EMULATED_LIBRARY_H
#define EMULATED_LIBRARY_H
#include "emulator.h"

namespace emulated
{

// Is [p, p + bytes) device memory? If not, reports it once for this place.
bool device_array(const void *p, u64 bytes, const char *call, const char *name, Pc place);
// A scalar argument, on the host or on the device as the pointer mode says.
bool scalar_argument(const void *p, u64 bytes, bool on_device, const char *call, const char *name,
                     Pc place);
void now_initialised(const void *p, u64 bytes);
// Reports, once for this place, an element that nothing has written.
void must_have_values(const void *p, u64 bytes, u32 element, const char *call, Pc place);

} // namespace emulated
#endif
