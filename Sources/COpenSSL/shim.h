// One inline function for each macro of OpenSSL that Swift cannot see.

#ifndef PODSWARM_COPENSSL_SHIM_H
#define PODSWARM_COPENSSL_SHIM_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Buffers are given back while a connection is idle; writes may go on from another address; reads take what is there.
static inline void podswarm_tls_prepare(SSL_CTX *context) {
    SSL_CTX_set_mode(
        context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
}

static inline void podswarm_tls_return_after_messages(SSL_CTX *context) {
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
}

static inline void podswarm_tls_set_message_argument(SSL_CTX *context, void *argument) {
    SSL_CTX_set_msg_callback_arg(context, argument);
}

static inline void podswarm_tls_set_server_name(SSL *connection, const char *name) {
    SSL_set_tlsext_host_name(connection, name);
}

static inline void podswarm_tls_require_12(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline int podswarm_chain_count(const STACK_OF(X509) *chain) {
    return chain == NULL ? 0 : sk_X509_num(chain);
}

static inline X509 *podswarm_chain_certificate(const STACK_OF(X509) *chain, int index) {
    return sk_X509_value(chain, index);
}

static inline EVP_PKEY *podswarm_new_p256_key(void) {
    return EVP_EC_gen("P-256");
}

static inline void podswarm_bio_clear_retry(BIO *bio) {
    BIO_clear_retry_flags(bio);
}

static inline void podswarm_bio_retry_read(BIO *bio) {
    BIO_set_retry_read(bio);
}

static inline void podswarm_bio_retry_write(BIO *bio) {
    BIO_set_retry_write(bio);
}

#endif
