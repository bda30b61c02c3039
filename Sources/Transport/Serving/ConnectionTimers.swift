import NIOCore
import Synchronization

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
