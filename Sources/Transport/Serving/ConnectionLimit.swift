import NIOCore

/// Limits the connections that are open at a time; a handler of the listening channel.
///
/// At the limit, a new connection replaces the one that has rested longest, so that clients that never end a request lock no
/// other out. If none rests, new connections wait.
final class ConnectionLimit: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private static let pause = TimeAmount.milliseconds(50)

    private let limit: Int
    private let connections: OpenConnections
    private var open = 0
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

    /// Serves held connections and accepts new ones while there is room or can be made.
    private func look() {
        // Closing a connection to make room calls back at once.
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
