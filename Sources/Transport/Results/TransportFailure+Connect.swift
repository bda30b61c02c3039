import Glibc
import Rulebook

extension TransportFailure {
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
