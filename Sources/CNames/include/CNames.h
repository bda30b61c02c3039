// Questions to name servers through c-ares, behind a header that includes none of the system's: Swift takes the socket types
// for those of whatever module includes their headers first.

#ifndef PODSWARM_CNAMES_H
#define PODSWARM_CNAMES_H

// An address of an answer as a sockaddr, or null for an alias on the way to it, and the seconds that the record lives.
typedef void (*podswarm_found)(void *context, const void *address, unsigned size, int time_to_live);

// The end of a question, once for each; from within the call that asks where it cannot be asked at all.
typedef void (*podswarm_answered)(void *context);

// Reads resolv.conf unless `servers`, separated by commas, is something; null where that is impossible.
void *podswarm_names_open(const char *servers, int milliseconds, int tries);

void podswarm_names_close(void *channel);

void podswarm_names_ask(
    void *channel, const char *host, podswarm_found found, podswarm_answered answered, void *context);

// Waits at most a second until a server says something, a question's time is over, or `wake` is notified, and handles that.
void podswarm_names_wait(void *channel, int wake);

#endif
