import Glibc
import Rules

extension TransportFailure {
    /// Maps an error number of connect(2).
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
