import NIOCore

/// Accepts no more connections than a number at a time; others wait in the system's queue.
///
/// Stands in the listening channel. What comes in one go with the last that is allowed is served, too.
final class ConnectionLimit: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    private let limit: Int
    private var open = 0
    private var isWaiting = false
    private var context: ChannelHandlerContext?

    init(_ limit: Int) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.oneClosed()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if open < limit { context.read() } else { isWaiting = true }
    }

    private func oneClosed() {
        open -= 1
        guard isWaiting, open < limit else { return }
        isWaiting = false
        context?.read()
    }
}
