// What Swift's Glibc module leaves out of spawn.h.

#ifndef PODSWARM_CPROGRAMS_H
#define PODSWARM_CPROGRAMS_H

#include <spawn.h>

// The program gets no descriptor of this number or a higher one.
int podswarm_spawn_close_from(posix_spawn_file_actions_t *actions, int lowest_descriptor);

#endif
