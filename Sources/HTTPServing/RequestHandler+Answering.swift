import Glibc
import NIOCore
import NIOHTTPTypes
import ServerTLS

// What the tasks that answer do, on the event loop.
extension RequestHandler {
    /// Whether what is written now goes out before much else.
    var hasRoom: Bool { context?.channel.isWritable ?? false }

    /// Tells a task when it may write, or that it never may.
    func whenThereIsRoom(for number: UInt64, _ tell: @escaping (Result<Void, any Error>) -> Void) {
        guard turn?.number == number else { return tell(.failure(ChannelError.ioOnClosedChannel)) }
        if hasRoom { tell(.success(())) } else { turn?.whenThereIsRoom(tell) }
    }

    func whenBodyIsRead(for number: UInt64, _ tell: @escaping (Result<ByteBuffer, any Error>) -> Void) {
        guard turn?.number == number else { return tell(.failure(ChannelError.ioOnClosedChannel)) }
        turn?.whenBodyIsRead(tell)
    }

    /// Writes a piece of the answer to a request.
    ///
    /// - Parameters:
    ///   - piece: What is sent at once.
    ///   - number: The request's.
    ///   - promise: Is told when the system has taken the piece; untouched where this throws.
    /// - Throws: `ChannelError` where it is not the request's turn, or the piece is not what comes next in an answer.
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
        // Before the end is written, upon which the next request may come.
        turn?.answer = .ended
        guard turn?.isLast == true || isInputClosed else {
            return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
        }
        phase = .closing
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { _ in self.lastIsSent() }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    /// A responder has returned; where it has failed, or not answered, the connection is of no more use.
    func finished(_ number: UInt64, isFailed: Bool) {
        guard let turn else { return }
        if isFailed || turn.number == number && turn.answer != .ended { context?.close(promise: nil) }
    }

    /// Drops an HTTP/1.1 connection so that the client sees a reset; of an HTTP/2 connection only the stream.
    func reset(_ number: UInt64) {
        guard let context, turn?.number == number else { return }
        cease(ChannelError.ioOnClosedChannel, .over)
        let channel = context.channel
        guard channel === connection, let socket = channel as? any SocketOptionProvider else {
            return context.close(promise: nil)
        }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
            // TLS says nothing before; without TLS nobody knows the event.
            channel.triggerUserOutboundEvent(TLSServerHandler.AbruptClose(), promise: nil)
            channel.close(promise: nil)
        }
    }
}
