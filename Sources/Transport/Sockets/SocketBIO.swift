import CLinux
import COpenSSL
import Glibc

/// A BIO over a socket that keeps the kernel's stamp of the last read, which OpenSSL's own does not ask for.
enum SocketBIO {
    private struct State {
        let descriptor: Int32
        /// Moment of CLOCK_REALTIME, in nanoseconds, at which the kernel received the last bytes read; 0 for unknown.
        var lastReceipt: Int64 = 0
        var hasEnded = false
    }

    /// A BIO over a socket that its caller owns; nil when memory is out.
    static func new(_ descriptor: Int32) -> OpaquePointer? {
        guard let method = method.pointer, let bio = BIO_new(method) else { return nil }
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(descriptor: descriptor))
        BIO_set_data(bio, state)
        BIO_set_init(bio, 1)
        return bio
    }

    static func lastReceipt(_ bio: OpaquePointer?) -> Int64 { state(bio)?.pointee.lastReceipt ?? 0 }

    private static func state(_ bio: OpaquePointer?) -> UnsafeMutablePointer<State>? {
        BIO_get_data(bio)?.assumingMemoryBound(to: State.self)
    }

    /// The functions of such BIOs (BIO_meth_new(3)); nil when memory is out.
    ///
    /// `@unchecked Sendable`: made once for the process, and only read afterwards.
    private struct Method: @unchecked Sendable {
        let pointer = SocketBIO.newMethod()
    }

    private static let method = Method()

    private static func newMethod() -> OpaquePointer? {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "podswarm socket") else {
            return nil
        }
        BIO_meth_set_read(method) { bio, bytes, count in
            podswarm_bio_clear_retry(bio)
            guard let bytes, count > 0, let state = SocketBIO.state(bio) else { return 0 }
            var stamp: Int64 = 0
            let received = podswarm_receive(state.pointee.descriptor, bytes, Int(count), &stamp)
            if received > 0 {
                state.pointee.lastReceipt = stamp
            } else if BIO_sock_should_retry(Int32(received)) != 0 {
                podswarm_bio_retry_read(bio)
            } else if received == 0 {
                state.pointee.hasEnded = true
            }
            return Int32(received)
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            podswarm_bio_clear_retry(bio)
            guard let bytes, count > 0, let state = SocketBIO.state(bio) else { return 0 }
            let sent = Int32(send(state.pointee.descriptor, bytes, Int(count), Int32(MSG_NOSIGNAL)))
            if sent <= 0, BIO_sock_should_retry(sent) != 0 { podswarm_bio_retry_write(bio) }
            return sent
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH: 1
            case BIO_CTRL_EOF: SocketBIO.state(bio)?.pointee.hasEnded == true ? 1 : 0
            default: 0
            }
        }
        BIO_meth_set_destroy(method) { bio in
            SocketBIO.state(bio)?.deallocate()
            BIO_set_data(bio, nil)
            return 1
        }
        return method
    }
}
