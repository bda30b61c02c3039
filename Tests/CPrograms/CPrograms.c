#define _GNU_SOURCE
#include "CPrograms.h"

int podswarm_spawn_close_from(posix_spawn_file_actions_t *actions, int lowest_descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest_descriptor);
}
