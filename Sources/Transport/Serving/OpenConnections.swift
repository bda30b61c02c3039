import HTTPTypes
import NIOCore
import Synchronization

final class OpenConnections: Sendable {
    /// Bytes that wait, of an answer for its client or of a request for its answer.
    private struct Held {
        let owner: ObjectIdentifier
        let bytes: Int
        let since: NIODeadline
        let channel: any Channel
    }

    private struct State {
        var isStopping = false
        /// With the time since which each has waited for its client; nil while it is at work, and with HTTP/2.
        var channels: [ObjectIdentifier: (channel: any Channel, restsSince: NIODeadline?)] = [:]
        var tasks = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// The oldest first.
        var unsent: [Held] = []
        var received: [Held] = []

        /// Removes the oldest until the others have at most `most` bytes, or `mayGo` is false for one and the number of the rest.
        static func take(from held: inout [Held], until most: Int, while mayGo: (Held, Int) -> Bool) -> [any Channel] {
            var (sum, count) = (held.reduce(0) { $0 + $1.bytes }, 0)
            while sum > most, count < held.count, mayGo(held[count], held.count - count - 1) {
                sum -= held[count].bytes
                count += 1
            }
            defer { held.removeFirst(count) }
            return held.prefix(count).map(\.channel)
        }
    }

    private let state = Mutex(State())
    private let settings: ListenerSettings

    init(_ settings: ListenerSettings) { self.settings = settings }

    /// `sent` ends when the system has taken the bytes, or the connection is closed.
    func sends(_ bytes: ByteBuffer, on channel: any Channel, until sent: EventLoopFuture<Void>) {
        guard let most = settings.unsentLimit, bytes.readableBytes > 0 else { return }
        let owner = ObjectIdentifier(sent)
        let slow = state.withLock { state in
            state.unsent.append(Held(owner: owner, bytes: bytes.readableBytes, since: .now(), channel: channel))
            // One alone may have more.
            return State.take(from: &state.unsent, until: most) { _, others in others > 0 }
        }
        for channel in slow { channel.close(promise: nil) }
        sent.whenComplete { [self] _ in state.withLock { state in state.unsent.removeAll { $0.owner == owner } } }
    }

    /// Counts the body of the handler's request until `answered`; false if other bodies leave it too few bytes.
    func receives(_ head: HTTPRequest, by handler: RequestHandler) -> Bool {
        guard let most = settings.receivedLimit else { return true }
        let length = head.headerFields[.contentLength].flatMap { Int($0) } ?? settings.bodyLimit
        let (bytes, channel) = (min(length, settings.bodyLimit), handler.connection)
        guard bytes > 0 else { return true }
        let (owner, now) = (ObjectIdentifier(handler), NIODeadline.now())
        let (isCounted, stale) = state.withLock { state in
            let time = now - settings.bodyPatience
            let stale = State.take(from: &state.received, until: most - bytes) { held, _ in held.since <= time }
            let isCounted = state.received.reduce(bytes) { $0 + $1.bytes } <= most
            if isCounted { state.received.append(Held(owner: owner, bytes: bytes, since: now, channel: channel)) }
            return (isCounted, stale)
        }
        for channel in stale { channel.close(promise: nil) }
        return isCounted
    }

    func answered(by handler: RequestHandler) {
        guard settings.receivedLimit != nil else { return }
        let owner = ObjectIdentifier(handler)
        state.withLock { state in state.received.removeAll { $0.owner == owner } }
    }

    /// False if the listener is stopping, and the connection must not be served.
    func add(_ channel: any Channel, rests: Bool) -> Bool {
        let identifier = ObjectIdentifier(channel)
        let isServed = state.withLock { state in
            if !state.isStopping { state.channels[identifier] = (channel, rests ? NIODeadline.now() : nil) }
            return !state.isStopping
        }
        guard isServed else { return false }
        channel.closeFuture.whenComplete { [self] _ in
            change { $0.channels[identifier] = nil }
        }
        return true
    }

    /// Between requests, the client may rest.
    func rests(_ channel: any Channel, _ rests: Bool) {
        guard settings.connectionLimit != nil else { return }
        state.withLock { $0.channels[ObjectIdentifier(channel)]?.restsSince = rests ? NIODeadline.now() : nil }
    }

    func taskBegan() { state.withLock { $0.tasks += 1 } }

    func taskEnded() { change { $0.tasks -= 1 } }

    /// Frees the waiters once no connection or task is left.
    private func change(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            guard state.channels.isEmpty, state.tasks == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func quiesce() {
        let channels = state.withLock { state in
            defer { state.isStopping = true }
            // NIO's handlers treat a second event as an error.
            return state.isStopping ? [] : state.channels.values.map(\.channel)
        }
        for channel in channels {
            channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        }
    }

    /// One between two requests, else one whose client has kept an answer waiting.
    var longestResting: (any Channel)? {
        state.withLock { state in
            let resting = state.channels.values.compactMap { connection in
                connection.restsSince.map { (since: $0, channel: connection.channel) }
            }
            return resting.min { $0.since < $1.since }?.channel ?? state.unsent.first?.channel
        }
    }

    func cut() {
        for channel in state.withLock({ $0.channels.values.map(\.channel) }) {
            // TLS would first wait for the peer.
            channel.triggerUserOutboundEvent(TLSServerHandler.AbruptClose(), promise: nil)
            channel.close(promise: nil)
        }
    }

    func ended() async { await withCheckedContinuation { continuation in change { $0.waiters.append(continuation) } } }
}

/// Handler of the listening channel, which accepts one connection per read.
///
/// At the limit, a new connection replaces the one that has rested longest, else, with a limit of unsent bytes, one that does
/// not read its answer. Clients with endless requests so lock no other out; if all are being answered, it waits.
final class ConnectionLimit: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private static let pause = TimeAmount.milliseconds(50)

    private let limit: Int
    private let connections: OpenConnections
    private var open = 0
    /// Accepted, and waits for room; none is accepted meanwhile.
    private var held: (any Channel)?
    private var isReadHeld = false
    private var retry: Scheduled<Void>?

    init(_ limit: Int, of connections: OpenConnections) {
        (self.limit, self.connections) = (limit, connections)
    }

    func handlerRemoved(context: ChannelHandlerContext) { held.take()?.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held = unwrapInboundIn(data)
        serveHeld(context)
    }

    func read(context: ChannelHandlerContext) {
        isReadHeld = held != nil
        if !isReadHeld { context.read() }
    }

    private func serveHeld(_ context: ChannelHandlerContext) {
        guard let next = held else { return }
        let resting = open < limit ? nil : connections.longestResting
        guard open < limit || resting != nil else {
            retry?.cancel()
            retry = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { self.serveHeld(context) }
            return
        }
        // Closing a connection calls back at once.
        held = nil
        resting?.close(promise: nil)
        open += 1
        next.closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.open -= 1
            self.serveHeld(context)
        }
        context.fireChannelRead(wrapInboundOut(next))
        if isReadHeld { read(context: context) }
    }
}

/// Stands before the decoder, where incomplete heads are visible.
final class HeadTimer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Phase {
        /// The next bytes begin a head.
        case resting
        case reading(Scheduled<Void>)
        /// Bytes belong to the body or to the next request.
        case answering
    }

    private let limit: TimeAmount
    private var phase = Phase.resting

    init(limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) { begin(context) }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

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
        let timer: Scheduled<Void> = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak context] in
            if let context { context.close(promise: nil) }
        }
        phase = .reading(timer)
    }

    private func cancel() { if case .reading(let timer) = phase { timer.cancel() } }
}
