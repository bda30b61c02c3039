// HTTP/2 framing and header compression.

#ifndef PODSWARM_CNGHTTP2_SHIM_H
#define PODSWARM_CNGHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>

#endif
