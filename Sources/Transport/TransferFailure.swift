import Glibc

/// Why a request brought no answer that counts; each case is one failure code of a result.
package enum TransferFailure: UInt8, CaseIterable, Error, Sendable {
    /// The host name could not be resolved.
    case dns
    /// The peer answered the connect with a reset.
    case connectRefused
    /// No connection, TLS included, within the connect timeout.
    case connectTimeout
    /// The connect failed for another reason: no route, network down.
    case connectFailed
    /// The TLS handshake or the verification of the peer failed.
    case tls
    /// The request was sent, and nothing came back within the first-byte timeout.
    case firstByteTimeout
    /// The whole transfer, redirects included, took longer than the total timeout.
    case totalTimeout
    /// The peer closed or reset the connection before the answer began, or reset it in the middle.
    case reset
    /// The answer ended before the length it had announced.
    case truncated
    /// The answer breaks HTTP, its content coding, or the limit on header size.
    case protocolError
    /// The decoded body passed the limit; reading stopped there.
    case bodyTooLarge
    /// The URL, or one that a redirect led to, is not on an authorised host; nothing was sent there.
    case unauthorisedHost
    /// More redirects in a row than allowed.
    case redirectLimit
    /// This machine ran out of descriptors, ports or memory, or a source address is not its own.
    case localResources
    /// We gave up: the owner left, or the transport was cancelled or shut down.
    case abandoned
    /// Anything else.
    case other
}

extension TransferFailure {
    /// What an error number of connect(2) means.
    init(connectError number: Int32) {
        self =
            switch number {
            case ECONNREFUSED: .connectRefused
            case ETIMEDOUT: .connectTimeout
            case EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL, EADDRINUSE, EACCES, EPERM: .localResources
            default: .connectFailed
            }
    }
}
