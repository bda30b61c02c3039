import COpenSSL

/// A TLS session that one owner may resume at one origin (RFC 8446 section 2.2).
final class TLSSession {
    let session: OpaquePointer
    unowned let route: Route

    /// Takes over one reference to the session.
    init(_ session: OpaquePointer, route: Route) {
        self.session = session
        self.route = route
    }

    deinit { SSL_SESSION_free(session) }
}
