import NIOCore

/// Accepts no more connections than a number at a time.
///
/// Whoever comes then takes the place of the connection that has rested for the longest time: a client that never ends its
/// request keeps nobody out. Where none rests, others wait. Stands in the listening channel.
final class ConnectionLimit: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    /// How often is looked whether one rests, while others wait.
    private static let pause = TimeAmount.milliseconds(50)

    private let limit: Int
    private let connections: OpenConnections
    private var open = 0
    /// Accepted, and not served before there is room.
    private var held: [any Channel] = []
    private var isWaiting = false
    private var isLooking = false
    private var isLookingSoon = false
    private var context: ChannelHandlerContext?

    init(_ limit: Int, of connections: OpenConnections) {
        self.limit = limit
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for channel in held { channel.close(promise: nil) }
        held = []
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(unwrapInboundIn(data))
        look()
    }

    func read(context: ChannelHandlerContext) {
        isWaiting = true
        look()
    }

    /// Serves who is held and accepts others, where there is room or room can be made.
    private func look() {
        // A connection that is closed to make room says so at once.
        guard !isLooking, let context else { return }
        isLooking = true
        while let next = held.first, hasMadeRoom() {
            held.removeFirst()
            serve(next, context)
        }
        isLooking = false
        guard isWaiting || !held.isEmpty else { return }
        guard held.isEmpty, open < limit || connections.longestResting != nil else { return lookSoon(context) }
        isWaiting = false
        context.read()
    }

    private func hasMadeRoom() -> Bool {
        guard open >= limit else { return true }
        guard let resting = connections.longestResting else { return false }
        resting.close(promise: nil)
        return true
    }

    private func serve(_ channel: any Channel, _ context: ChannelHandlerContext) {
        open += 1
        channel.closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.open -= 1
            self.look()
        }
        context.fireChannelRead(wrapInboundOut(channel))
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
