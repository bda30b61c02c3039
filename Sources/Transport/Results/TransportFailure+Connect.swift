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

extension TransportFailure {
    /// Maps a stream's error code of RFC 9113 section 7.
    ///
    /// PROTOCOL_ERROR, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR and COMPRESSION_ERROR say that HTTP/2 was broken; all others that
    /// the answer ends here.
    init(streamError code: UInt32) {
        self = [1, 3, 6, 9].contains(code) ? .protocolError : .reset
    }
}
