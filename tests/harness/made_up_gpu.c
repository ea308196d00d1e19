/* A device for the harness that is said to be a GPU: what a results file says of one, on a machine
 * without. */
#define deviceOpen hostOpen
#include "device_none.c"
#undef deviceOpen

enum device_state deviceOpen(int ordinal, char *why, size_t whySize)
{
    hostOpen(ordinal, why, whySize);
    strcpy(opened.name, "made up");
    strcpy(opened.bus, "0000:0B:00.0");
    opened.freeBytes = 1e9;
    return DEVICE_OPEN;
}
