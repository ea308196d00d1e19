/* not_there.h: well-known calls that the emulated device does not have. Using one is an error that
 * says so. */
#ifndef EMULATED_NOT_THERE_H
#define EMULATED_NOT_THERE_H
#define EMULATED_NOT_THERE(name)                                                                   \
    template <class... Arguments>                                                                  \
    __attribute__((error(#name " is not there on the emulated device"))) cudaError_t name(         \
        Arguments...);
EMULATED_NOT_THERE(cudaLaunchCooperativeKernelMultiDevice)
#undef EMULATED_NOT_THERE
#endif
