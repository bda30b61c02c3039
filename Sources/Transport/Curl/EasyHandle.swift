import CCurl
import Values

/// Options that all pooled handles of a carrier have.
struct EasyHandle {
    let configuration: TransportConfiguration
    let connectTo: UnsafeMutablePointer<curl_slist>?

    /// Sets the options that stay for the handle's life, measured on libcurl 7.88.1: see the page on the engine.
    func setOptions(of transfer: Transfer) throws(TransportError) {
        let easy = transfer.easy
        try set(easy, CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(transfer.explanation))
        try applyProtocol(easy)
        try applyTLS(easy)
        try applyProxy(easy)
        try applyCallbacks(easy, context: Unmanaged.passUnretained(transfer).toOpaque())
    }

    private func applyProtocol(_ easy: UnsafeMutableRawPointer) throws(TransportError) {
        try set(easy, CURLOPT_NOSIGNAL, 1)
        // 1024 hangs HTTP/2; freed after each transfer, so idle viewers pay nothing.
        try set(easy, CURLOPT_BUFFERSIZE, 4096)
        // The least libcurl takes: allocated for each request over TLS.
        try set(easy, CURLOPT_UPLOAD_BUFFERSIZE, 16384)
        // Other values make libcurl look through its host cache after every transfer.
        try set(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1)
        // libcurl would not reuse a connection idle for two minutes.
        try set(easy, CURLOPT_MAXAGE_CONN, 86400)
        if let longest = configuration.connectionLife?.longest {
            try set(easy, CURLOPT_MAXLIFETIME_CONN, max(1, Int(longest / 1_000_000_000)))
        }
        try set(easy, CURLOPT_FOLLOWLOCATION, 0)
        try set(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        switch configuration.httpVersion {
        case .http1:
            try set(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2, .http2OrHTTP1:
            // ALPN, with HTTP/1.1 where the server offers no other; without TLS see `ClearHTTP2`.
            try set(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            // An owner's parallel requests wait to share one connection, as in players' stacks.
            try set(easy, CURLOPT_PIPEWAIT, 1)
        }
        try set(easy, CURLOPT_PATH_AS_IS, 1)
        try set(easy, CURLOPT_USERAGENT, configuration.userAgent)
        if configuration.acceptEncoding { try set(easy, CURLOPT_ACCEPT_ENCODING, "gzip") }
        // libcurl does not report a coded body that is cut off.
        try set(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        if let connectTo {
            try check("CURLOPT_CONNECT_TO", podswarm_set_list(easy, CURLOPT_CONNECT_TO, connectTo))
        }
    }

    private func applyTLS(_ easy: UnsafeMutableRawPointer) throws(TransportError) {
        try set(easy, CURLOPT_SSL_VERIFYPEER, configuration.verifyTLS ? 1 : 0)
        try set(easy, CURLOPT_SSL_VERIFYHOST, configuration.verifyTLS ? 2 : 0)
        // The session cache lives in the pooled handle: a viewer would resume another's session.
        try set(easy, CURLOPT_SSL_SESSIONID_CACHE, 0)
        // Debian's default path switches off the cache of parsed authorities: 0.9 MB and 20 ms a connection.
        try check("CURLOPT_CAPATH", podswarm_set_string(easy, CURLOPT_CAPATH, nil))
        if let file = configuration.caFile { try set(easy, CURLOPT_CAINFO, file) }
        if let file = configuration.clientCertificateFile { try set(easy, CURLOPT_SSLCERT, file) }
        if let file = configuration.clientKeyFile { try set(easy, CURLOPT_SSLKEY, file) }
    }

    /// `Transfer.setProxy` sets the proxy itself.
    private func applyProxy(_ easy: UnsafeMutableRawPointer) throws(TransportError) {
        // An http_proxy in the environment would carry the load to a host that was not authorised, and a no_proxy past one.
        try set(easy, CURLOPT_PROXY, "")
        try set(easy, CURLOPT_NOPROXY, "")
        guard let proxy = configuration.proxy else { return }
        if let user = proxy.user { try set(easy, CURLOPT_PROXYUSERNAME, user) }
        if let password = proxy.password { try set(easy, CURLOPT_PROXYPASSWORD, password) }
        // The answer to CONNECT is not an answer of the target.
        try set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(easy, CURLOPT_PROXY_SSL_VERIFYPEER, configuration.verifyTLS ? 1 : 0)
        try set(easy, CURLOPT_PROXY_SSL_VERIFYHOST, configuration.verifyTLS ? 2 : 0)
        // As for the target's TLS.
        try check("CURLOPT_PROXY_CAPATH", podswarm_set_string(easy, CURLOPT_PROXY_CAPATH, nil))
        if let file = configuration.caFile { try set(easy, CURLOPT_PROXY_CAINFO, file) }
    }

    private func applyCallbacks(
        _ easy: UnsafeMutableRawPointer,
        context: UnsafeMutableRawPointer
    ) throws(TransportError) {
        try set(easy, CURLOPT_PRIVATE, context)
        try set(easy, CURLOPT_WRITEDATA, context)
        try set(easy, CURLOPT_HEADERDATA, context)
        try set(easy, CURLOPT_PREREQDATA, context)
        try set(easy, CURLOPT_OPENSOCKETDATA, context)
        try set(easy, CURLOPT_SSL_CTX_DATA, context)
        try check("CURLOPT_WRITEFUNCTION", podswarm_set_data_function(easy, CURLOPT_WRITEFUNCTION, bodyCallback))
        try check("CURLOPT_HEADERFUNCTION", podswarm_set_data_function(easy, CURLOPT_HEADERFUNCTION, headerCallback))
        try check("CURLOPT_PREREQFUNCTION", podswarm_set_prerequest_function(easy, prerequestCallback))
        try check("CURLOPT_OPENSOCKETFUNCTION", podswarm_set_open_socket_function(easy, openSocketCallback))
        try check("CURLOPT_SSL_CTX_FUNCTION", podswarm_set_ssl_context_function(easy, tlsContextCallback))
        try check("CURLOPT_CLOSESOCKETFUNCTION", podswarm_set_close_socket_function(easy, closeSocketCallback))
    }

    private func set(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ value: Int) throws(TransportError) {
        try check("curl_easy_setopt(\(option.rawValue))", podswarm_set_long(easy, option, value))
    }

    private func set(_ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ value: String) throws(TransportError) {
        try check("curl_easy_setopt(\(option.rawValue))", podswarm_set_string(easy, option, value))
    }

    private func set(
        _ easy: UnsafeMutableRawPointer,
        _ option: CURLoption,
        _ value: UnsafeMutableRawPointer
    ) throws(TransportError) {
        try check("curl_easy_setopt(\(option.rawValue))", podswarm_set_pointer(easy, option, value))
    }

    private func check(_ call: String, _ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw .library(call: call, message: String(cString: curl_easy_strerror(code))) }
    }
}
