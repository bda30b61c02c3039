#include "CNames.h"

#include <ares.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct question {
    podswarm_found found;
    podswarm_answered answered;
    void *context;
};

static int made;

static void make(void) {
    made = ares_library_init(ARES_LIB_INIT_ALL) == ARES_SUCCESS;
}

void *podswarm_names_open(const char *servers, int milliseconds, int tries) {
    struct ares_options options = {.timeout = milliseconds, .tries = tries};
    ares_channel channel;
    // Not safe for threads (ares_library_init(3)).
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make);
    if (!made) return NULL;
    if (ares_init_options(&channel, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES) != ARES_SUCCESS) return NULL;
    if (*servers && ares_set_servers_ports_csv(channel, servers) != ARES_SUCCESS) {
        ares_destroy(channel);
        return NULL;
    }
    return channel;
}

void podswarm_names_close(void *channel) {
    ares_destroy(channel);
}

static void end(void *argument, int status, int timeouts, struct ares_addrinfo *answer) {
    struct question *question = argument;
    (void)timeouts;
    if (status == ARES_SUCCESS && answer) {
        for (struct ares_addrinfo_node *node = answer->nodes; node; node = node->ai_next)
            question->found(question->context, node->ai_addr, node->ai_addrlen, node->ai_ttl);
        for (struct ares_addrinfo_cname *name = answer->cnames; name; name = name->next)
            question->found(question->context, NULL, 0, name->ttl);
    }
    if (answer) ares_freeaddrinfo(answer);
    question->answered(question->context);
    free(question);
}

void podswarm_names_ask(
    void *channel, const char *host, podswarm_found found, podswarm_answered answered, void *context) {
    // Sorted by RFC 6724, all viewers would go to one address.
    struct ares_addrinfo_hints hints = {.ai_flags = ARES_AI_NOSORT, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct question *question = malloc(sizeof *question);
    if (!question) {
        answered(context);
        return;
    }
    *question = (struct question){.found = found, .answered = answered, .context = context};
    ares_getaddrinfo(channel, host, NULL, &hints, end, question);
}

void podswarm_names_wait(void *channel, int wake) {
    ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
    struct pollfd watched[ARES_GETSOCK_MAXNUM + 1] = {{.fd = wake, .events = POLLIN}};
    nfds_t count = 1;
    int wanted = ares_getsock(channel, sockets, ARES_GETSOCK_MAXNUM);
    for (int index = 0; index < ARES_GETSOCK_MAXNUM; index++) {
        short events = 0;
        if (ARES_GETSOCK_READABLE(wanted, index)) events |= POLLIN;
        if (ARES_GETSOCK_WRITABLE(wanted, index)) events |= POLLOUT;
        if (events) watched[count++] = (struct pollfd){.fd = sockets[index], .events = events};
    }
    struct timeval longest = {.tv_sec = 1}, next;
    struct timeval *pause = ares_timeout(channel, &longest, &next);
    int ready = poll(watched, count, (int)(pause->tv_sec * 1000 + pause->tv_usec / 1000 + 1));
    if (ready > 0 && watched[0].revents) {
        uint64_t notified;
        if (read(wake, &notified, sizeof notified) < 0) ready = 0;
    }
    for (nfds_t index = 1; ready > 0 && index < count; index++) {
        short events = watched[index].revents;
        ares_socket_t readable = events & ~POLLOUT ? watched[index].fd : ARES_SOCKET_BAD;
        ares_socket_t writable = events & POLLOUT ? watched[index].fd : ARES_SOCKET_BAD;
        if (events) ares_process_fd(channel, readable, writable);
    }
    ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}
