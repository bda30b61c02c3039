// What Swift's Glibc module leaves out: epoll, timerfd, malloc_trim, control messages and the variadic prctl.

#ifndef PODSWARM_CLINUX_H
#define PODSWARM_CLINUX_H

#include <linux/net_tstamp.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// The event bits as plain numbers: the header spells them as enumerators of an anonymous type.
static const uint32_t podswarm_epoll_in = EPOLLIN;
static const uint32_t podswarm_epoll_error = EPOLLERR;
static const uint32_t podswarm_epoll_hangup = EPOLLHUP;
static const uint32_t podswarm_epoll_edge = EPOLLET;

// Gives free pages of all arenas back to the kernel.
static inline void podswarm_give_back_free_memory(void) {
    malloc_trim(0);
}

static inline int podswarm_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

// Adds, changes or removes one descriptor; user_data comes back with its events.
static inline int podswarm_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t user_data) {
    struct epoll_event event;
    event.events = events;
    event.data.u64 = user_data;
    return epoll_ctl(epoll, operation, descriptor, &event);
}

// The structure is packed on x86-64, so its fields are read here and not through a pointer in Swift.
static inline uint64_t podswarm_epoll_user_data(const struct epoll_event *event) {
    return event->data.u64;
}

static inline uint32_t podswarm_epoll_events(const struct epoll_event *event) {
    return event->events;
}

// epoll_wait with a time-out in nanoseconds; ENOSYS before Linux 5.11 and under valgrind.
static inline int podswarm_epoll_wait_precisely(int epoll, struct epoll_event *events, int capacity, int64_t nanoseconds) {
    struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return epoll_pwait2(epoll, events, capacity, &timeout, NULL);
}

// timespec is read here: which module it belongs to in Swift depends on the build.
static inline int64_t podswarm_nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Has the kernel stamp what a socket receives (SO_TIMESTAMPING in socket(7)); 0 where it does.
static inline int podswarm_stamp_receipts(int socket) {
    int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    return setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags);
}

// recv with the moment of CLOCK_REALTIME, in nanoseconds, at which the kernel received the last of the bytes; 0 where
// it does not say.
static inline ssize_t podswarm_receive(int socket, void *bytes, size_t count, int64_t *stamp) {
    // struct scm_timestamping of linux/errqueue.h: the first of the three is the kernel's own.
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(3 * sizeof(struct timespec))];
    } control;
    struct iovec piece = {bytes, count};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *stamp = 0;
    ssize_t received = recvmsg(socket, &message, 0);
    if (received <= 0) {
        return received;
    }
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMPING) {
        const struct timespec *time = (const struct timespec *)(const void *)CMSG_DATA(header);
        *stamp = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
    }
    return received;
}

// 0 where the kernel holds its wall clock to be synchronised, 1 where not, -1 where it does not say; the error in microseconds.
static inline int podswarm_clock_state(int64_t *maximum_error) {
    struct timex clock = {0};
    if (ntp_adjtime(&clock) < 0) {
        return -1;
    }
    *maximum_error = clock.maxerror;
    return (clock.status & STA_UNSYNC) != 0;
}

static inline int podswarm_timer_create(void) {
    return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

// Arms the timer at an absolute CLOCK_MONOTONIC instant; 0 disarms it.
static inline int podswarm_timer_arm(int timer, int64_t nanoseconds) {
    struct itimerspec when = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static inline int podswarm_event_create(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

// Wakes whoever waits for the descriptor; a counter that is full has woken them already.
static inline void podswarm_event_notify(int event) {
    uint64_t one = 1;
    ssize_t written = write(event, &one, sizeof one);
    (void)written;
}

// The loop that the calling thread works for now, NULL for none; compared, never followed.
extern __thread const void *podswarm_thread_loop;

static inline const void *podswarm_current_loop(void) {
    return podswarm_thread_loop;
}

static inline void podswarm_set_current_loop(const void *loop) {
    podswarm_thread_loop = loop;
}

// Sets the calling thread's timer slack to 1 ns, once per thread; threads it creates inherit it.
void podswarm_minimise_timer_slack(void);

#endif
