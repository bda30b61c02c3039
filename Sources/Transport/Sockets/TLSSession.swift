import COpenSSL

/// A TLS session that one owner may resume at one origin (RFC 8446 section 2.2).
package final class TLSSession {
    let session: OpaquePointer
    /// The peer that gave the session, such as a route.
    package let peer: ObjectIdentifier

    /// Consumes one reference to the session.
    init(_ session: OpaquePointer, of peer: ObjectIdentifier) {
        self.session = session
        self.peer = peer
    }

    deinit { SSL_SESSION_free(session) }
}
