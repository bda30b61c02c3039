// Gives a process a wall clock that is wrong, loaded into it by LD_PRELOAD: OFFSET_CLOCK_US is added to it, and
// OFFSET_CLOCK_STEP_US besides once the file OFFSET_CLOCK_STEP_FILE is there; the kernel's stamps of what was received
// are wrong by as much. Time namespaces do not offer that clock.
#define _GNU_SOURCE
#include <time.h>

#include <dlfcn.h>
#include <linux/errqueue.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int (*real)(clockid_t, struct timespec *);
static long long offset_us, step_us;
static const char *step_file;

static long long setting(const char *name) {
    const char *text = getenv(name);
    return text ? atoll(text) : 0;
}

__attribute__((constructor)) static void load(void) {
    if (real) return;
    real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    offset_us = setting("OFFSET_CLOCK_US");
    step_us = setting("OFFSET_CLOCK_STEP_US");
    step_file = getenv("OFFSET_CLOCK_STEP_FILE");
}

static void shift(struct timespec *time) {
    long long us = offset_us;
    if (step_file && access(step_file, F_OK) == 0) us += step_us;
    long long ns = time->tv_nsec + us % 1000000 * 1000;
    time->tv_sec += us / 1000000 + (ns >= 1000000000) - (ns < 0);
    time->tv_nsec = (ns + 1000000000) % 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    load();
    int end = real(clock, time);
    if (end || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return end;
    shift(time);
    return 0;
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    static ssize_t (*receive)(int, struct msghdr *, int);
    load();
    if (!receive) receive = (ssize_t (*)(int, struct msghdr *, int))dlsym(RTLD_NEXT, "recvmsg");
    ssize_t end = receive(descriptor, message, flags);
    if (end < 0) return end;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPING) continue;
        struct scm_timestamping *stamps = (struct scm_timestamping *)CMSG_DATA(part);
        if (stamps->ts[0].tv_sec) shift(&stamps->ts[0]);
    }
    return end;
}

int timespec_get(struct timespec *time, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    int end = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return end;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
