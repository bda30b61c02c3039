import COpenSSL
package import NIOCore
import NIOTLS

/// Fires `TLSUserEvent.handshakeCompleted` before the first plaintext.
///
/// A handshake that fails or takes longer than 30 seconds closes the connection without an error. The peer's `close_notify`
/// becomes `ChannelEvent.inputClosed` if the channel allows half-closure; otherwise it closes the connection.
///
/// Flushed plaintext is encrypted only while the channel is writable: a connection holds at most a few records of ciphertext.
package final class TLSServerHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// The next close sends no `close_notify`, so that a socket that does not linger is reset.
    package struct AbruptClose: Sendable {
        package init() {}
    }

    private enum Phase {
        case handshake
        case open
        case inputEnded
        case outputEnded
        case closing
        case over
    }

    private static let handshakeLimit = TimeAmount.seconds(30)
    private static let closeLimit = TimeAmount.seconds(5)
    /// 64 KiB, beyond which a channel is unwritable.
    private static let recordsAtOnce = 4

    /// With all that TLS adds, a record fits into 16 KiB.
    private static let recordLength = 16 * 1_024 - 128

    private let connection: TLSConnection
    /// Retained for `connection`, as `bytes` is.
    private let shared: ServerTLSContext
    private let bytes = TLSBytes()
    private var phase = Phase.handshake
    /// Plaintext to encrypt; the mark stands where it was flushed.
    private var pending = MarkedCircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)>(
        initialCapacity: 4
    )

    package init(_ shared: ServerTLSContext) throws(ServerTLSError) {
        guard let bio = bytes.newBIO(shared.bytes),
            let connection = TLSConnection(accepting: shared.context, over: bio)
        else { throw .refused(by: "SSL_new") }
        (self.connection, self.shared) = (connection, shared)
    }

    deinit { connection.free() }

    package func handlerRemoved(context: ChannelHandlerContext) { end() }

    package func channelActive(context: ChannelHandlerContext) {
        limitHandshake(context)
        context.fireChannelActive()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let received = unwrapInboundIn(data)
        switch phase {
        case .handshake:
            bytes.receive(received)
            shakeHands(context)
        case .open, .outputEnded:
            bytes.receive(received)
            decrypt(context, atMost: received.readableBytes)
        case .inputEnded, .closing, .over:
            // RFC 8446 6.1: data after a closure alert is ignored.
            break
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            inputEnded(context)
        case is ChannelShouldQuiesceEvent where phase == .handshake:
            cut(context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func limitHandshake(_ context: ChannelHandlerContext) {
        // Never cancelled: finding a task in a loop's queue takes longer than letting it expire.
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.handshakeLimit) { [weak self, weak context] in
            if let self, let context, phase == .handshake { cut(context) }
        }
    }

    private func shakeHands(_ context: ChannelHandlerContext) {
        let outcome = connection.handshake()
        sendProduced(context)
        switch outcome {
        case .wantsRead, .wantsWrite:
            break
        case .closed, .reset, .failed:
            cut(context)
        case .done:
            phase = .open
            let completed = TLSUserEvent.handshakeCompleted(negotiatedProtocol: connection.chosenProtocol)
            context.fireUserInboundEventTriggered(completed)
            encryptFlushed(context)
            if maySend { decrypt(context, atMost: 0) }
        }
    }

    private func decrypt(_ context: ChannelHandlerContext, atMost count: Int) {
        var plaintext = context.channel.allocator.buffer(capacity: count)
        let reading = read(into: &plaintext)
        sendProduced(context)
        if plaintext.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(plaintext)) }
        switch reading {
        case .done, .wantsRead, .wantsWrite: break
        case .closed: inputEnded(context)
        case .reset, .failed: cut(context)
        }
    }

    /// Returns why there is no more; plaintext is never longer than the received bytes.
    private func read(into plaintext: inout ByteBuffer) -> TLSOutcome {
        while true {
            var outcome = TLSOutcome.reset
            plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: 1_024) { target in
                outcome = connection.read(into: target)
                return if case .done(let count) = outcome { count } else { 0 }
            }
            guard case .done = outcome else { return outcome }
        }
    }

    private func inputEnded(_ context: ChannelHandlerContext) {
        switch phase {
        case .open:
            if (try? context.channel.syncOptions?.getOption(.allowRemoteHalfClosure)) ?? false {
                phase = .inputEnded
                context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            } else {
                closeOrderly(context, promise: nil)
            }
        case .handshake, .outputEnded:
            cut(context)
        case .inputEnded, .closing, .over:
            break
        }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch phase {
        case .handshake, .open, .inputEnded:
            pending.append((unwrapOutboundIn(data), promise))
        case .outputEnded, .closing: promise?.fail(ChannelError.outputClosed)
        case .over: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    package func flush(context: ChannelHandlerContext) {
        pending.mark()
        encryptFlushed(context)
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        encryptFlushed(context)
        context.fireChannelWritabilityChanged()
    }

    package func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?)
    {
        guard event is AbruptClose else { return context.triggerUserOutboundEvent(event, promise: promise) }
        end()
        promise?.succeed()
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch (mode, phase) {
        case (.input, _), (_, .over):
            context.close(mode: mode, promise: promise)
        case (_, .handshake):
            cut(context, promise: promise)
        case (_, .closing):
            context.channel.closeFuture.cascade(to: promise)
        case (.output, .open):
            sayGoodbye(context)
            phase = .outputEnded
            context.close(mode: .output, promise: promise)
        case (.output, .outputEnded):
            promise?.fail(ChannelError.outputClosed)
        case (.all, .outputEnded):
            cut(context, promise: promise)
        case (_, .open), (_, .inputEnded):
            closeOrderly(context, promise: promise)
        }
    }

    /// Changes when a send ends the connection.
    private var maySend: Bool { phase == .open || phase == .inputEnded }

    private func encryptFlushed(_ context: ChannelHandlerContext) {
        while context.channel.isWritable, pending.hasMark, maySend {
            guard encryptSome(context) else { return cut(context) }
        }
    }

    /// False after a failure of the connection.
    private func encryptSome(_ context: ChannelHandlerContext) -> Bool {
        var promise: EventLoopPromise<Void>?
        var records: [ByteBuffer] = []
        while records.count < Self.recordsAtOnce, pending.hasMark { records.append(takeRecord(&promise)) }
        let count = records.reduce(0) { $0 + $1.readableBytes }
        bytes.reserve(count + (count / Self.recordLength + 1) * 128, from: context.channel.allocator)
        guard records.allSatisfy(encrypt) else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return false
        }
        if let produced = bytes.takeProduced() {
            context.writeAndFlush(wrapOutboundOut(produced), promise: promise)
        } else {
            promise?.succeed()
        }
        return true
    }

    /// One record of flushed plaintext: joined small writes, or a part of a large one; `promise` takes along those of writes
    /// that end in it.
    private func takeRecord(_ promise: inout EventLoopPromise<Void>?) -> ByteBuffer {
        var record = takeSlice(of: Self.recordLength, &promise)
        while record.readableBytes < Self.recordLength, pending.hasMark {
            let next = takeSlice(of: Self.recordLength - record.readableBytes, &promise)
            if record.readableBytes == 0 { record = next } else { record.writeImmutableBuffer(next) }
        }
        return record
    }

    private func takeSlice(of length: Int, _ promise: inout EventLoopPromise<Void>?) -> ByteBuffer {
        guard var first = pending.first else { return ByteBuffer() }
        if first.bytes.readableBytes > length, let slice = first.bytes.readSlice(length: length) {
            pending[pending.startIndex] = first
            return slice
        }
        _ = pending.popFirst()
        promise.setOrCascade(to: first.promise)
        return first.bytes
    }

    private func failPending(_ error: ChannelError) {
        while let write = pending.popFirst() { write.promise?.fail(error) }
    }

    /// One record of at most `recordLength` bytes; false after a failure of the connection.
    private func encrypt(_ plaintext: ByteBuffer) -> Bool {
        guard plaintext.readableBytes > 0 else { return true }
        return plaintext.withUnsafeReadableBytes { source in
            if case .done(let count) = connection.write(source) { count == source.count } else { false }
        }
    }

    private func sendProduced(_ context: ChannelHandlerContext) {
        guard let produced = bytes.takeProduced() else { return }
        context.writeAndFlush(wrapOutboundOut(produced), promise: nil)
    }

    /// Ignores writability; writes that were not flushed fail.
    private func sayGoodbye(_ context: ChannelHandlerContext) {
        while pending.hasMark, maySend, encryptSome(context) {}
        failPending(.outputClosed)
        connection.sayGoodbye()
        sendProduced(context)
    }

    /// Waits for the last bytes, at most for `closeLimit`.
    private func closeOrderly(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        sayGoodbye(context)
        guard maySend else { return context.close(promise: promise) }
        phase = .closing
        let isSent = context.eventLoop.makePromise(of: Void.self)
        isSent.futureResult.assumeIsolated().whenComplete { _ in
            self.cut(context, promise: promise)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: isSent)
        if phase == .closing {
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.closeLimit) { [weak self, weak context] in
                if let self, let context, phase == .closing { cut(context) }
            }
        }
    }

    private func cut(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil) {
        end()
        context.close(promise: promise)
    }

    private func end() {
        phase = .over
        failPending(.ioOnClosedChannel)
    }
}

/// OpenSSL's memory BIO would keep the largest buffer that a connection ever needed, and copy each byte once more.
final class TLSBytes {
    private var received = ByteBuffer()
    private var produced = ByteBuffer()

    func receive(_ bytes: ByteBuffer) {
        if received.readableBytes == 0 {
            received = bytes
        } else {
            received.writeImmutableBuffer(bytes)
        }
    }

    func reserve(_ count: Int, from allocator: ByteBufferAllocator) {
        if produced.capacity == 0 {
            produced = allocator.buffer(capacity: count)
        } else {
            produced.reserveCapacity(minimumWritableBytes: count)
        }
    }

    func takeProduced() -> ByteBuffer? {
        guard produced.readableBytes > 0 else { return nil }
        defer { produced = ByteBuffer() }
        return produced
    }

    /// The BIO must not outlive this object.
    func newBIO(_ method: OpaquePointer) -> OpaquePointer? {
        guard let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// Functions of the BIOs (BIO_meth_new(3)); nil without memory.
    static func newMethod() -> OpaquePointer? {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "podswarm") else { return nil }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let bytes, let owner = object(BIO_get_data(bio), TLSBytes.self) else { return -1 }
            owner.produced.writeBytes(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        BIO_meth_set_read(method) { bio, bytes, count in
            guard let bytes, let owner = object(BIO_get_data(bio), TLSBytes.self) else { return -1 }
            podswarm_bio_clear_retry(bio)
            let taken = owner.take(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            guard taken > 0 else {
                podswarm_bio_retry_read(bio)
                return -1
            }
            return Int32(clamping: taken)
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }

    private func take(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = received.readWithUnsafeReadableBytes { bytes in
            let count = min(bytes.count, target.count)
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            return count
        }
        // Releases the network's buffer.
        if received.readableBytes == 0 { received = ByteBuffer() }
        return count
    }
}
