import Values

/// OpenSSL's refusal to set up a server; failed connections are closed and throw nothing.
package struct ServerTLSError: Error, CustomStringConvertible {
    package let description: String

    /// Describes the failed call with the oldest error of the calling thread, whose queue it empties.
    static func refused(by call: String) -> ServerTLSError {
        ServerTLSError(description: "no TLS for the server (\(call)): \(OpenSSLError.takeText())")
    }
}
