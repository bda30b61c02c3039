import NIOCore
import Synchronization

/// Confined to the connection's event loop.
final class IdleTimer {
    private let limit: TimeAmount
    private var last = NIODeadline.now()
    private var check: Scheduled<Void>?

    init(limit: TimeAmount) { self.limit = limit }

    func heard() { last = .now() }

    /// While `isBusy` (the client waits for the server), no time counts; `end` is called once.
    func start(on loop: any NIOCore.EventLoop, isBusy: @escaping () -> Bool, end: @escaping () -> Void) {
        look(in: limit, on: loop, isBusy, end)
    }

    func stop() {
        check?.cancel()
        check = nil
    }

    private func look(
        in delay: TimeAmount,
        on loop: any NIOCore.EventLoop,
        _ isBusy: @escaping () -> Bool,
        _ end: @escaping () -> Void
    ) {
        check = loop.assumeIsolated().scheduleTask(in: delay) { [weak self] in
            guard let self else { return }
            let now = NIODeadline.now()
            let due = isBusy() ? now + limit : last + limit
            if due > now { look(in: due - now, on: loop, isBusy, end) } else { end() }
        }
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
    private var context: ChannelHandlerContext?

    init(limit: TimeAmount) { self.limit = limit }

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

/// Time since which a connection has waited for its client; written on its event loop, read on any.
final class RestingClock: Sendable {
    /// 0 while a request is being answered.
    private let since = Atomic<UInt64>(NIODeadline.now().uptimeNanoseconds)

    func rests() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    func works() { since.store(0, ordering: .relaxed) }

    /// Nanoseconds of `NIODeadline`.
    var restingSince: UInt64? {
        let value = since.load(ordering: .relaxed)
        return value == 0 ? nil : value
    }
}
