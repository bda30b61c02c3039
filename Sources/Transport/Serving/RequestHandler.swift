import Glibc
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers in tasks, one after the other, on an HTTP/1.1 connection or an HTTP/2 stream.
///
/// Needs `HTTPServerPipelineHandler`: the next request comes after the previous answer. A parser error is answered 400 unless
/// the last answer was given.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    enum Phase {
        case open
        /// The last bytes are under way, or the client has yet to close.
        case closing
        case over
    }

    let connection: any Channel
    /// Nil for HTTP/2: a stream closes with its answer, and a connection may rest.
    private let idleLimit: TimeAmount?
    private var heardAt = NIODeadline.now()
    private var idleCheck: Scheduled<Void>?
    var heads: HeadTimer?
    private let service: RequestService
    var context: ChannelHandlerContext?
    var phase = Phase.open
    var turn: RequestTurn?
    private var turns: UInt64 = 0
    var isInputClosed = false
    /// The system has taken the last answer's last bytes.
    var isLastSent = false

    init(_ service: RequestService, connection: any Channel, idleLimit: TimeAmount?) {
        (self.service, self.connection, self.idleLimit) = (service, connection, idleLimit)
    }

    private var isAnswering: Bool { turn.map { $0.isRead && $0.answer != .ended } ?? false }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if let idleLimit { checkIdle(in: idleLimit, limit: idleLimit) }
    }

    private func rests(_ rests: Bool) { if idleLimit != nil { service.connections.rests(connection, rests) } }

    /// While the client waits for the server, no time counts.
    private func checkIdle(in delay: TimeAmount, limit: TimeAmount) {
        idleCheck = context?.eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self] in
            guard let self else { return }
            let now = NIODeadline.now()
            let due = (isAnswering ? now : heardAt) + limit
            if due > now { checkIdle(in: due - now, limit: limit) } else { context?.close(promise: nil) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cease(ChannelError.ioOnClosedChannel, .over)
        idleCheck?.cancel()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        cease(ChannelError.ioOnClosedChannel, .over)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .open = phase else { return }
        heardAt = .now()
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes): turn?.receive(bytes, atMost: service.settings.bodyLimit)
        case .end:
            rests(false)
            turn?.isRead = true
            if case .coming(let whole) = turn?.body { turn?.body = .read(.success(whole)) }
        }
        goOn()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        goOn()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { inputClosed(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Bytes after an invalid request are invalid, too.
        guard case .open = phase else { return }
        // An incomplete request also fails when its client has gone.
        guard error is HTTPParserError, turn?.answer != .begun, context.channel.isActive else {
            return context.close(promise: nil)
        }
        refuse(.badRequest, error, context)
    }

    private func refuse(_ status: HTTPResponse.Status, _ error: any Error, _ context: ChannelHandlerContext) {
        cease(error, .closing)
        let refusal = HTTPResponse(status: status, headerFields: [.connection: "close", .contentLength: "0"])
        context.write(wrapOutboundOut(.head(refusal)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        lastIsSent()
    }

    private func begin(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        turns &+= 1
        heads?.headIsRead()
        let keepsBody = service.settings.keepsBody(head)
        guard !keepsBody || service.connections.receives(head, by: self) else {
            return refuse(.serviceUnavailable, BodyTooLarge(), context)
        }
        let request = ServedRequest(
            head,
            on: connection,
            number: turns,
            handler: NIOLoopBound(self, eventLoop: context.eventLoop)
        )
        let isLast = head.headerFields[.connection] == "close"
        var turn = RequestTurn(number: turns, isLast: isLast, keepsBody: keepsBody)
        turn.task = service.serve(request)
        self.turn = turn
    }

    private func inputClosed(_ context: ChannelHandlerContext) {
        isInputClosed = true
        switch phase {
        case .open where turn.map { $0.answer != .ended } ?? false:
            if turn?.endsWithInput == true { endTurn(CancellationError()) }
        case .open:
            context.close(promise: nil)
        case .closing:
            if isLastSent { context.close(promise: nil) }
        case .over:
            break
        }
    }

    func cease(_ error: any Error, _ phase: Phase) {
        self.phase = phase
        endTurn(error)
        turn = nil
        service.connections.answered(by: self)
    }

    /// Cancels the request's task and frees its waiter.
    func endTurn(_ error: any Error) {
        // Both may call back at once.
        let (waiter, task) = (turn?.waiter.take(), turn?.task)
        waiter?.fail(error)
        task?.cancel()
    }

    /// The client may read everything before it closes its side.
    func lastIsSent() {
        isLastSent = true
        context?.close(mode: isInputClosed ? .all : .output, promise: nil)
    }

    // From answering tasks, on the event loop.

    var hasRoom: Bool { context?.channel.isWritable ?? false }

    /// Fails if it is not the request's turn, or its task waits already.
    func wait(_ waiter: RequestTurn.Waiter, for number: UInt64) {
        guard turn?.number == number else { return waiter.fail(ChannelError.ioOnClosedChannel) }
        guard turn?.waiter == nil else { return waiter.fail(ChannelError.operationUnsupported) }
        turn?.waiter = waiter
        goOn()
    }

    private func goOn() {
        guard let turn else { return }
        switch turn.waiter {
        case .body(let promise):
            guard case .read(let body) = turn.body else { return }
            self.turn?.waiter = nil
            promise.completeWith(body)
        case .room(let piece, let isSent, let done):
            guard hasRoom else { return }
            self.turn?.waiter = nil
            do {
                try write(piece, for: turn.number, promise: isSent ? done : nil)
                if !isSent { done.succeed() }
            } catch {
                done.fail(error)
            }
        case nil: break
        }
    }

    /// `promise` succeeds once the system has taken the piece.
    ///
    /// Throws `ChannelError`, leaving `promise` alone, unless it is the request's turn and the piece is the next of an answer.
    func write(_ piece: AnswerPiece, for number: UInt64, promise: EventLoopPromise<Void>?) throws {
        guard let context, let answer = turn?.answer, turn?.number == number else {
            throw ChannelError.ioOnClosedChannel
        }
        switch (piece, answer) {
        case (.whole(let head, let body), .none):
            if let promise { service.connections.sends(body, on: connection, until: promise.futureResult) }
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(body)), promise: nil) }
            end(context, promise)
        case (.head(let head, let untilInputCloses), .none):
            turn?.answer = .begun
            turn?.endsWithInput = untilInputCloses
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: promise)
            if untilInputCloses, isInputClosed { endTurn(CancellationError()) }
        case (.body(let bytes), .begun):
            if let promise { service.connections.sends(bytes, on: connection, until: promise.futureResult) }
            context.writeAndFlush(wrapOutboundOut(.body(bytes)), promise: promise)
        case (.end, .begun):
            end(context, promise)
        default:
            throw ChannelError.outputClosed
        }
    }

    private func end(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        heardAt = .now()
        rests(true)
        heads?.rests()
        // The next request may come during the write.
        turn?.answer = .ended
        // Its memory does not wait for the next request.
        turn?.body = .read(.failure(ChannelError.outputClosed))
        service.connections.answered(by: self)
        guard turn?.isLast == true || isInputClosed else {
            return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
        }
        phase = .closing
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { _ in self.lastIsSent() }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    /// A failed or incomplete answer closes the connection.
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

struct RequestTurn {
    enum Answer {
        case none
        case begun
        case ended
    }

    enum Body {
        case coming(ByteBuffer)
        case read(Result<ByteBuffer, any Error>)
    }

    enum Waiter {
        case body(EventLoopPromise<ByteBuffer>)
        /// The promise waits for the system, or only for the piece to be written.
        case room(AnswerPiece, isSent: Bool, EventLoopPromise<Void>)

        func fail(_ error: any Error) {
            switch self {
            case .body(let promise): promise.fail(error)
            case .room(_, _, let promise): promise.fail(error)
            }
        }
    }

    let number: UInt64
    let isLast: Bool
    let keepsBody: Bool
    var answer = Answer.none
    var isRead = false
    /// A client that closes its side counts as gone.
    var endsWithInput = false
    var task: Task<Void, Never>?
    var body = Body.coming(ByteBuffer())
    /// A task makes one call at a time.
    var waiter: Waiter?

    mutating func receive(_ bytes: ByteBuffer, atMost limit: Int) {
        guard keepsBody, case .coming(var held) = body else { return }
        if held.readableBytes + bytes.readableBytes > limit {
            body = .read(.failure(BodyTooLarge()))
        } else if held.readableBytes == 0 {
            body = .coming(bytes)
        } else {
            body = .coming(ByteBuffer())
            held.writeImmutableBuffer(bytes)
            body = .coming(held)
        }
    }
}
