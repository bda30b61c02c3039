// One inline function for each kind of argument that libcurl's variadic calls take.

#ifndef PODSWARM_CCURL_H
#define PODSWARM_CCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode podswarm_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode podswarm_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode podswarm_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode podswarm_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode podswarm_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode podswarm_set_data_function(
    CURL *easy, CURLoption option, size_t (*function)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(easy, option, function);
}

static inline CURLcode podswarm_set_prerequest_function(
    CURL *easy, int (*function)(void *, char *, char *, int, int)) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode podswarm_set_open_socket_function(
    CURL *easy, curl_socket_t (*function)(void *, curlsocktype, struct curl_sockaddr *)) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode podswarm_set_close_socket_function(CURL *easy, int (*function)(void *, curl_socket_t)) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode podswarm_set_ssl_context_function(CURL *easy, CURLcode (*function)(CURL *, void *, void *)) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, function);
}

static inline CURLcode podswarm_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode podswarm_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode podswarm_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode podswarm_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode podswarm_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode podswarm_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode podswarm_multi_set_socket_function(
    CURLM *multi, int (*function)(CURL *, curl_socket_t, int, void *, void *)) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode podswarm_multi_set_timer_function(CURLM *multi, int (*function)(CURLM *, long, void *)) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

static inline CURLSHcode podswarm_share_connections(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
}

// The authorities that libcurl trusts unless it is told others; null when it was built without.
static inline const char *podswarm_default_authorities(void) {
    return curl_version_info(CURLVERSION_NOW)->cainfo;
}

// The outcome of a message, which Swift sees only as a union.
static inline CURLcode podswarm_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
