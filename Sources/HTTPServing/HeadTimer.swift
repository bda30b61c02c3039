import NIOCore

/// Ends an HTTP/1.1 connection whose client takes too long over the head of a request.
///
/// Stands before the decoder, where bytes are seen that are no whole head yet.
final class HeadTimer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Phase {
        /// Bytes that come begin a head.
        case resting
        case reading(Scheduled<Void>)
        /// Bytes that come are of the body, or of what is asked next.
        case answering
    }

    private let limit: TimeAmount
    private var phase = Phase.resting
    private var context: ChannelHandlerContext?

    init(limit: TimeAmount) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        begin(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cancel()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .resting = phase { begin(context) }
        context.fireChannelRead(data)
    }

    /// A head is whole.
    func headIsRead() {
        cancel()
        phase = .answering
    }

    /// Nothing is being answered any more.
    func rests() { if case .answering = phase { phase = .resting } }

    private func begin(_ context: ChannelHandlerContext) {
        let timer: Scheduled<Void> = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in
            guard let self else { return }
            self.context?.close(promise: nil)
        }
        phase = .reading(timer)
    }

    private func cancel() { if case .reading(let timer) = phase { timer.cancel() } }
}
