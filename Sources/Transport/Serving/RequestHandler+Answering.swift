import Glibc
import NIOCore
import NIOHTTPTypes

// Calls from answering tasks, on the event loop.
extension RequestHandler {
    var hasRoom: Bool { context?.channel.isWritable ?? false }

    /// Fails if the task may never write.
    func whenThereIsRoom(for number: UInt64, _ tell: @escaping (Result<Void, any Error>) -> Void) {
        guard turn?.number == number else { return tell(.failure(ChannelError.ioOnClosedChannel)) }
        if hasRoom { tell(.success(())) } else { turn?.whenThereIsRoom(tell) }
    }

    func whenBodyIsRead(for number: UInt64, _ tell: @escaping (Result<ByteBuffer, any Error>) -> Void) {
        guard turn?.number == number else { return tell(.failure(ChannelError.ioOnClosedChannel)) }
        turn?.whenBodyIsRead(tell)
    }

    /// Writes a piece of an answer; `promise` succeeds once the system has taken it.
    ///
    /// Throws `ChannelError`, and leaves `promise` alone, unless it is the request's turn and the piece is the next of an
    /// answer.
    func write(_ piece: AnswerPiece, for number: UInt64, promise: EventLoopPromise<Void>?) throws {
        guard let context, let answer = turn?.answer, turn?.number == number else {
            throw ChannelError.ioOnClosedChannel
        }
        switch (piece, answer) {
        case (.whole(let head, let body), .none):
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(body)), promise: nil) }
            end(context, promise)
        case (.head(let head, let untilInputCloses), .none):
            turn?.answer = .begun
            turn?.endsWithInput = untilInputCloses
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: promise)
            if untilInputCloses, isInputClosed { endTurn(CancellationError()) }
        case (.body(let bytes), .begun):
            context.writeAndFlush(wrapOutboundOut(.body(bytes)), promise: promise)
        case (.end, .begun):
            end(context, promise)
        default:
            throw ChannelError.outputClosed
        }
    }

    private func end(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        idle?.heard()
        clock?.rests()
        heads?.rests()
        // Set before the end is written: the next request may come during the write.
        turn?.answer = .ended
        guard turn?.isLast == true || isInputClosed else {
            return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
        }
        phase = .closing
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { _ in self.lastIsSent() }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    /// Closes the connection if the responder failed or returned without a complete answer.
    func finished(_ number: UInt64, isFailed: Bool) {
        guard let turn else { return }
        if isFailed || turn.number == number && turn.answer != .ended { context?.close(promise: nil) }
    }

    /// With HTTP/2, only the stream is reset.
    func reset(_ number: UInt64) {
        guard let context, turn?.number == number else { return }
        cease(ChannelError.ioOnClosedChannel, .over)
        let channel = context.channel
        guard channel === connection, let socket = channel as? any SocketOptionProvider else {
            return context.close(promise: nil)
        }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
            // TLS sends no close first; without TLS, no handler knows the event.
            channel.triggerUserOutboundEvent(TLSServerHandler.AbruptClose(), promise: nil)
            channel.close(promise: nil)
        }
    }
}
