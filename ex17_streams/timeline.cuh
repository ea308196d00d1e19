/* Events around every copy and kernel of a run, for the timeline. Given; nothing to fill in here.
 *
 *     timelineStart();                            from here on, events are recorded
 *     timelineBegin(COPY_IN, stream); cudaMemcpyAsync(...); timelineEnd(stream);
 *     timelineStop();                             waits, and hands the timeline to main.c
 *
 * Events cost a little, so this is a run of its own, which is not timed. */
#ifndef TIMELINE_CUH
#define TIMELINE_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "timeline.h"
#include <string.h>
#ifdef __CUDA_EMULATED__
#include "cuda_emulated.h"
#endif

struct mark {
    cudaEvent_t begin, end;
    cudaStream_t stream;
    enum activity activity;
};

static struct {
    int isOn;
    cudaEvent_t start;
    struct mark *marks;
    size_t count, room;
} timeline;

static void timelineStart(void)
{
    timeline.isOn = 1;
    cudaVerify(cudaEventCreate(&timeline.start));
    cudaVerify(cudaDeviceSynchronize());
    cudaVerify(cudaEventRecord(timeline.start, 0));
    cudaVerify(cudaEventSynchronize(timeline.start));
}

static void timelineBegin(enum activity activity, cudaStream_t stream)
{
    struct mark *mark;

    if (!timeline.isOn)
        return;
    if (timeline.count == timeline.room) {
        const size_t room = timeline.room > 0 ? 2 * timeline.room : 256;
        struct mark *more = (struct mark *)mustAllocate(room * sizeof *more, "the timeline");

        if (timeline.count > 0)
            memcpy(more, timeline.marks, timeline.count * sizeof *more);
        free(timeline.marks);
        timeline.marks = more;
        timeline.room = room;
    }
    mark = &timeline.marks[timeline.count++];
    mark->activity = activity;
    mark->stream = stream;
    cudaVerify(cudaEventCreate(&mark->begin));
    cudaVerify(cudaEventCreate(&mark->end));
    cudaVerify(cudaEventRecord(mark->begin, stream));
}

static void timelineEnd(cudaStream_t stream)
{
    if (timeline.isOn)
        cudaVerify(cudaEventRecord(timeline.marks[timeline.count - 1].end, stream));
}

/* Seconds, or steps, from the start to the event. */
static double timelineTime(cudaEvent_t event)
{
    float milliseconds = 0.0f;

    cudaVerify(cudaEventElapsedTime(&milliseconds, timeline.start, event));
#ifdef __CUDA_EMULATED__
    return (double)(emulatedEventStep(event) - emulatedEventStep(timeline.start));
#else
    return 1e-3 * (double)milliseconds;
#endif
}

/* The number of the stream of mark i: marks of one stream have the same number. */
static int timelineStream(const struct interval *intervals, size_t i)
{
    int next = 0;

    for (size_t k = 0; k < i; k++) {
        if (timeline.marks[k].stream == timeline.marks[i].stream)
            return intervals[k].stream;
        if (intervals[k].stream >= next)
            next = intervals[k].stream + 1;
    }
    return next;
}

static void timelineStop(void)
{
    const size_t count = timeline.count;
    struct interval *intervals =
        (struct interval *)mustAllocate((count + 1) * sizeof *intervals, "the timeline");

    timeline.isOn = 0;
    cudaVerify(cudaDeviceSynchronize());
    for (size_t i = 0; i < count; i++) {
        struct mark *mark = &timeline.marks[i];

        intervals[i].activity = mark->activity;
        intervals[i].stream = timelineStream(intervals, i);
        intervals[i].begin = timelineTime(mark->begin);
        intervals[i].end = timelineTime(mark->end);
        cudaVerify(cudaEventDestroy(mark->begin));
        cudaVerify(cudaEventDestroy(mark->end));
    }
    cudaVerify(cudaEventDestroy(timeline.start));
    timelineTake(intervals, count);
    free(intervals);
    free(timeline.marks);
    memset(&timeline, 0, sizeof timeline);
}

#endif
