import NIOCore

/// Closes an HTTP/1.1 connection whose client sends the head of a request too slowly.
///
/// Stands before the decoder, where incomplete heads are visible.
final class HeadTimer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Phase {
        /// The next bytes begin a head.
        case resting
        case reading(Scheduled<Void>)
        /// Bytes that arrive belong to the body or to the next request.
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

    func headIsRead() {
        cancel()
        phase = .answering
    }

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
