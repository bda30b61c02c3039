import OpenSSL

/// OpenSSL refused to set up what a server needs; a connection that fails is closed and throws nothing.
package struct ServerTLSError: Error, CustomStringConvertible {
    package let description: String

    /// The call that failed, and why, from the calling thread's queue of errors, which is emptied.
    static func refused(by call: String) -> ServerTLSError {
        ServerTLSError(description: "no TLS for the server (\(call)): \(OpenSSLError.takeText())")
    }
}
