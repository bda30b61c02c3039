package import NIOCore
import NIOTLS

/// TLS of one accepted connection: encrypted bytes on the side of the socket, plaintext on the other.
///
/// Fires `TLSUserEvent.handshakeCompleted` before the first plaintext. A handshake that fails, or does not end within
/// half a minute, closes the connection and tells nobody. Where the channel allows half-closure, the peer's
/// `close_notify` is told as `ChannelEvent.inputClosed`; otherwise it closes the connection.
///
/// Back-pressure is the socket's: what is flushed is encrypted only while the channel is writable, so that a connection
/// holds at most a few records of ciphertext, however much waits to be sent.
package final class TLSServerHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// An outbound user event: the next close sends no `close_notify`, so that a socket that does not linger is reset.
    package struct AbruptClose: Sendable {
        package init() {}
    }

    private enum Phase {
        case handshake
        case open
        /// The peer sends nothing more.
        case inputEnded
        /// We said that we send nothing more.
        case outputEnded
        /// The last bytes are under way, after which the connection closes.
        case closing
        /// Nothing of TLS happens any more.
        case over
    }

    private static let handshakeLimit = TimeAmount.seconds(30)
    /// How long a peer may take to accept the last bytes.
    private static let closeLimit = TimeAmount.seconds(5)
    /// Records that are written at once: 64 KiB, which is what a channel takes before it asks to wait.
    private static let recordsAtOnce = 4

    private let engine: TLSEngine
    private var phase = Phase.handshake
    private var pending = PendingPlaintext()

    /// - Parameter shared: The server's identity and offer.
    /// - Throws: `ServerTLSError` when memory is out.
    package init(_ shared: ServerTLSContext) throws(ServerTLSError) {
        guard let engine = TLSEngine(shared) else { throw .refused(by: "SSL_new") }
        self.engine = engine
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { limitHandshake(context) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) { end(with: ChannelError.ioOnClosedChannel) }

    package func channelActive(context: ChannelHandlerContext) {
        limitHandshake(context)
        context.fireChannelActive()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end(with: ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    // MARK: What comes

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let received = unwrapInboundIn(data)
        switch phase {
        case .handshake:
            engine.receive(received)
            shakeHands(context)
        case .open, .outputEnded:
            engine.receive(received)
            decrypt(context, atMost: received.readableBytes)
        case .inputEnded, .closing, .over:
            // RFC 8446 6.1: what follows a closure alert is ignored.
            break
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            inputEnded(context)
        case is ChannelShouldQuiesceEvent where isHandshake:
            cut(context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    private var isHandshake: Bool {
        if case .handshake = phase { true } else { false }
    }

    private func limitHandshake(_ context: ChannelHandlerContext) {
        // Never cancelled: to find a task in a loop's queue takes longer than to let it pass.
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.handshakeLimit) { [weak self, weak context] in
            if let self, let context, isHandshake { cut(context) }
        }
    }

    private func shakeHands(_ context: ChannelHandlerContext) {
        let outcome = engine.handshake()
        sendProduced(context)
        switch outcome {
        case .wantsMore:
            break
        case .failed:
            cut(context)
        case .done(let name):
            phase = .open
            context.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: name))
            encryptFlushed(context)
            if maySend { decrypt(context, atMost: 0) }
        }
    }

    private func decrypt(_ context: ChannelHandlerContext, atMost count: Int) {
        var plaintext = context.channel.allocator.buffer(capacity: count)
        let reading = engine.read(into: &plaintext)
        // An alert, or the answer to a key update.
        sendProduced(context)
        if plaintext.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(plaintext)) }
        switch reading {
        case .wantsMore: break
        case .closed: inputEnded(context)
        case .failed: cut(context)
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

    // MARK: What goes

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch phase {
        case .handshake, .open, .inputEnded: pending.append(unwrapOutboundIn(data), promise: promise)
        case .outputEnded, .closing: promise?.fail(ChannelError.outputClosed)
        case .over: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    package func flush(context: ChannelHandlerContext) {
        pending.flush()
        encryptFlushed(context)
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        encryptFlushed(context)
        context.fireChannelWritabilityChanged()
    }

    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        guard event is AbruptClose else { return context.triggerUserOutboundEvent(event, promise: promise) }
        end(with: ChannelError.ioOnClosedChannel)
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

    /// Whether plaintext may be sent; asked again after each sending, in which a connection may end.
    private var maySend: Bool {
        switch phase {
        case .open, .inputEnded: true
        case .handshake, .outputEnded, .closing, .over: false
        }
    }

    private func encryptFlushed(_ context: ChannelHandlerContext) {
        while context.channel.isWritable, pending.isFlushed, maySend {
            guard encryptSome(context) else { return cut(context) }
        }
    }

    /// Encrypts and sends some records of what was flushed; false when the connection is of no more use.
    private func encryptSome(_ context: ChannelHandlerContext) -> Bool {
        let allocator = context.channel.allocator
        var promises: [EventLoopPromise<Void>] = []
        var records: [ByteBuffer] = []
        while records.count < Self.recordsAtOnce, pending.isFlushed {
            records.append(
                pending.takeRecord(of: TLSEngine.recordLength, allocator: allocator, promises: &promises)
            )
        }
        engine.reserve(plaintext: records.reduce(0) { $0 + $1.readableBytes }, from: allocator)
        let isEncrypted = records.allSatisfy { engine.write($0) }
        let promise = promises.first
        for other in promises.dropFirst() { promise?.futureResult.cascade(to: other) }
        guard isEncrypted else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return false
        }
        if let produced = engine.takeProduced() {
            context.writeAndFlush(wrapOutboundOut(produced), promise: promise)
        } else {
            promise?.succeed()
        }
        return true
    }

    private func sendProduced(_ context: ChannelHandlerContext) {
        guard let produced = engine.takeProduced() else { return }
        context.writeAndFlush(wrapOutboundOut(produced), promise: nil)
    }

    // MARK: The end

    /// Sends what was flushed, writable or not, and `close_notify`; what was not flushed fails.
    private func sayGoodbye(_ context: ChannelHandlerContext) {
        while pending.isFlushed, maySend, encryptSome(context) {}
        pending.fail(ChannelError.outputClosed)
        engine.sayGoodbye()
        sendProduced(context)
    }

    /// Closes the connection once the peer has been sent everything, or has not taken it for some time.
    private func closeOrderly(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        sayGoodbye(context)
        guard maySend else { return context.close(promise: promise) }
        phase = .closing
        let isSent = context.eventLoop.makePromise(of: Void.self)
        isSent.futureResult.assumeIsolated().whenComplete { _ in
            self.cut(context, promise: promise)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: isSent)
        if case .closing = phase {
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.closeLimit) { [weak self, weak context] in
                if let self, let context, case .closing = phase { cut(context) }
            }
        }
    }

    /// Closes the connection at once.
    private func cut(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil) {
        end(with: ChannelError.ioOnClosedChannel)
        context.close(promise: promise)
    }

    private func end(with error: ChannelError) {
        phase = .over
        pending.fail(error)
    }
}
