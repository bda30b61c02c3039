// Depending on the build, the socket headers belong to one of these modules.
import CCurl
import CLinux
import Glibc

/// A socket whose connect was begun.
package enum ConnectingSocket {
    case underWay(Int32)
    /// The error number; the socket is closed.
    case refused(Int32)

    /// Begins to connect without waiting; the caller owns the descriptor.
    package static func open(to address: SocketAddress, from source: SourceAddress?) -> ConnectingSocket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, kind, Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { return .refused(errno) }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // If the kernel refuses, answers have no stamps.
        _ = podswarm_stamp_receipts(descriptor)
        let number: Int32 =
            if let source, !source.bind(descriptor, family: address.family) {
                errno
            } else {
                address.connect(descriptor)
            }
        guard number == 0 || number == EINPROGRESS else {
            Glibc.close(descriptor)
            return .refused(number)
        }
        return .underWay(descriptor)
    }

    /// Bytes of payload, half of the kernel's buffer (SO_RCVBUF in socket(7)).
    package static func receiveBuffer(of descriptor: Int32) -> Int {
        var bytes: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, &size) == 0 ? Int(bytes) / 2 : 0
    }

    /// 0 or the error number.
    package static func outcome(_ descriptor: Int32) -> Int32 {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno
    }
}
