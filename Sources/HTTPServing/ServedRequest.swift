package import HTTPTypes
package import NIOCore

/// One request, and the way to answer it: with one call of `send` or `deliver`, or with `begin`, `write` and `end`.
///
/// Any task may use it, one call at a time. Calls throw where the client is gone or an answer was ended already; nothing
/// is left to be done then. Whoever waits here is freed by the end of the connection, not by being cancelled: a
/// connection that ends cancels the task that answers.
package struct ServedRequest: Sendable {
    /// What was asked for.
    package let head: HTTPRequest
    /// What it came on, which is told of as closed when the client has gone; requests of HTTP/2 share it.
    package let connection: any Channel

    private let number: UInt64
    private let handler: NIOLoopBound<RequestHandler>

    init(_ head: HTTPRequest, on connection: any Channel, number: UInt64, handler: NIOLoopBound<RequestHandler>) {
        self.head = head
        self.connection = connection
        self.number = number
        self.handler = handler
    }

    /// The body of the request, once all of it has come.
    ///
    /// - Throws: `BodyTooLarge` as soon as it is longer than the listener's limit; the rest is then read and thrown away.
    package func body() async throws -> ByteBuffer {
        let body = handler.eventLoop.makePromise(of: ByteBuffer.self)
        onLoop { $0.whenBodyIsRead(for: number) { body.completeWith($0) } }
        return try await body.futureResult.get()
    }

    /// Answers with a head, which gives the body's length, and with the body unless only a head was asked for.
    ///
    /// Returns once the connection has taken it, which is not to say that it was sent.
    package func send(_ response: HTTPResponse, _ body: ByteBuffer) async throws {
        let answer = whole(response, body)
        if handler.eventLoop.inEventLoop, handler.value.hasRoom {
            try handler.value.write(answer, for: number, promise: nil)
        } else {
            try await put(answer, isSent: false)
        }
    }

    /// Answers as `send` does, and returns once the system has taken the last byte.
    package func deliver(_ response: HTTPResponse, _ body: ByteBuffer) async throws {
        try await put(whole(response, body), isSent: true)
    }

    /// Sends the head of an answer whose body follows.
    ///
    /// - Parameters:
    ///   - response: The head; without a length, the body ends where `end` is called.
    ///   - untilInputCloses: Whether a client that sends nothing more is one that has gone: the task is then cancelled.
    /// - Throws: `ChannelError` where the client has gone, or an answer was begun already.
    package func begin(_ response: HTTPResponse, untilInputCloses: Bool = false) async throws {
        try await put(.head(response, untilInputCloses: untilInputCloses), isSent: true)
    }

    /// Sends a part of the body, and returns once the system has taken it.
    package func write(_ bytes: ByteBuffer) async throws {
        try await put(.body(bytes), isSent: true)
    }

    /// Ends an answer that was begun.
    package func end() async throws {
        try await put(.end, isSent: true)
    }

    /// Ends the connection, or with HTTP/2 the stream, so that the client sees a reset; nothing can be said after that.
    package func reset() {
        onLoop { $0.reset(number) }
    }

    /// The responder has returned: an answer that is not whole by now ends the connection.
    func finished(isFailed: Bool) {
        onLoop { $0.finished(number, isFailed: isFailed) }
    }

    private func whole(_ response: HTTPResponse, _ body: ByteBuffer) -> AnswerPiece {
        .whole(response, head.method == .head ? ByteBuffer() : body)
    }

    private func put(_ piece: AnswerPiece, isSent: Bool) async throws {
        let done = handler.eventLoop.makePromise(of: Void.self)
        onLoop { handler in
            handler.whenThereIsRoom(for: number) { room in
                do {
                    try room.get()
                    try handler.write(piece, for: number, promise: isSent ? done : nil)
                    if !isSent { done.succeed() }
                } catch {
                    done.fail(error)
                }
            }
        }
        try await done.futureResult.get()
    }

    private func onLoop(_ act: @escaping @Sendable (RequestHandler) -> Void) {
        if handler.eventLoop.inEventLoop {
            act(handler.value)
        } else {
            handler.eventLoop.execute { act(handler.value) }
        }
    }
}

/// A body that is longer than its listener reads.
package struct BodyTooLarge: Error {}

/// What is written of an answer at once.
enum AnswerPiece: Sendable {
    case whole(HTTPResponse, ByteBuffer)
    case head(HTTPResponse, untilInputCloses: Bool)
    case body(ByteBuffer)
    case end
}
