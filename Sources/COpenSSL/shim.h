#ifndef PODSWARM_COPENSSL_SHIM_H
#define PODSWARM_COPENSSL_SHIM_H

#include <openssl/evp.h>
#include <openssl/hmac.h>

#endif
