import NIOCore

/// Accepts no more connections than a number at a time.
///
/// Whoever comes then takes the place of the connection that has rested for the longest time: a client that never ends its
/// request keeps nobody out. Where none rests, others wait in the system's queue. Stands in the listening channel. What
/// comes in one go with the last that is allowed is served, too.
final class ConnectionLimit: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    /// How often is looked whether one rests, while others wait.
    private static let pause = TimeAmount.milliseconds(50)

    private let limit: Int
    private let connections: OpenConnections
    private var open = 0
    private var isWaiting = false
    private var isLookingSoon = false
    private var context: ChannelHandlerContext?

    init(_ limit: Int, of connections: OpenConnections) {
        self.limit = limit
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.open -= 1
            self.look()
        }
        if open > limit { connections.longestResting?.close(promise: nil) }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        isWaiting = true
        look()
    }

    /// Reads on where there is room, or where room can be made.
    private func look() {
        guard isWaiting, let context else { return }
        guard open < limit || open == limit && connections.longestResting != nil else {
            return lookSoon(context)
        }
        isWaiting = false
        context.read()
    }

    private func lookSoon(_ context: ChannelHandlerContext) {
        guard !isLookingSoon else { return }
        isLookingSoon = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [weak self] in
            self?.isLookingSoon = false
            self?.look()
        }
    }
}
