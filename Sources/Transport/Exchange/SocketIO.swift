import CLinux
import Glibc

enum SocketIO {
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ tls: TLSConnection?) -> TLSOutcome {
        if let tls { return tls.write(bytes) }
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        guard count < 0 else { return .done(count) }
        return errno == EAGAIN || errno == EINTR ? .wantsWrite : .reset
    }

    /// Reads the available bytes, up to the buffer's size.
    ///
    /// `stamp` becomes the moment of CLOCK_REALTIME, in nanoseconds, at which the kernel received the last byte; 0 where that
    /// is unknown.
    static func read(
        from descriptor: Int32,
        _ tls: TLSConnection?,
        into buffer: UnsafeMutableRawBufferPointer,
        stamp: inout Int64
    ) -> TLSOutcome {
        if let tls {
            let outcome = tls.read(into: buffer)
            stamp = tls.lastReceipt
            return outcome
        }
        let count = podswarm_receive(descriptor, buffer.baseAddress, buffer.count, &stamp)
        if count > 0 { return .done(count) }
        if count == 0 { return .closed }
        return errno == EAGAIN || errno == EINTR ? .wantsRead : .reset
    }
}
