#include "CLinux.h"

#include <sys/prctl.h>

__thread const void *podswarm_thread_loop = NULL;

void podswarm_minimise_timer_slack(void) {
    static __thread int done = 0;
    if (done) {
        return;
    }
    done = 1;
    // The default of 50 us would be added to every sleep (prctl(2), PR_SET_TIMERSLACK).
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}
