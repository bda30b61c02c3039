package import HTTPTypes
package import NIOCore

/// The answer is one call of `send` or `deliver`, or `begin`, `write` and `end`.
///
/// Any task may use it, one call at a time. Calls throw after the client has gone or an answer has ended. Only the connection's
/// end, not cancellation, frees a waiting call.
package struct ServedRequest: Sendable {
    package let head: HTTPRequest
    /// HTTP/2 requests share it.
    package let connection: any Channel

    private let number: UInt64
    private let handler: NIOLoopBound<RequestHandler>

    init(_ head: HTTPRequest, on connection: any Channel, number: UInt64, handler: NIOLoopBound<RequestHandler>) {
        (self.head, self.connection, self.number, self.handler) = (head, connection, number, handler)
    }

    /// Throws `BodyTooLarge` as soon as the body exceeds the listener's limit; the rest is discarded.
    package func body() async throws -> ByteBuffer {
        let body = handler.eventLoop.makePromise(of: ByteBuffer.self)
        onLoop { $0.wait(.body(body), for: number) }
        return try await body.futureResult.get()
    }

    /// Sends no body for HEAD; `response` must give the body's length; returns once the connection has accepted the
    /// answer.
    package func send(_ response: HTTPResponse, _ body: ByteBuffer) async throws {
        let answer = whole(response, body)
        if handler.eventLoop.inEventLoop, handler.value.hasRoom {
            try handler.value.write(answer, for: number, promise: nil)
        } else {
            try await put(answer, isSent: false)
        }
    }

    /// As `send`, and returns once the system has taken the last byte.
    package func deliver(_ response: HTTPResponse, _ body: ByteBuffer) async throws {
        try await put(whole(response, body), isSent: true)
    }

    /// Without a length, the body ends with `end`; with `untilInputCloses`, a client that closes its side counts as gone.
    package func begin(_ response: HTTPResponse, untilInputCloses: Bool = false) async throws {
        try await put(.head(response, untilInputCloses: untilInputCloses), isSent: true)
    }

    /// Returns once the system has taken the bytes.
    package func write(_ bytes: ByteBuffer) async throws { try await put(.body(bytes), isSent: true) }

    /// Returns once the system has taken the answer.
    package func end() async throws { try await put(.end, isSent: true) }

    /// With HTTP/2 only the stream; no further call succeeds.
    package func reset() { onLoop { $0.reset(number) } }

    /// Ends the connection if the answer is incomplete.
    func finished(isFailed: Bool) { onLoop { $0.finished(number, isFailed: isFailed) } }

    private func whole(_ response: HTTPResponse, _ body: ByteBuffer) -> AnswerPiece {
        .whole(response, head.method == .head ? ByteBuffer() : body)
    }

    private func put(_ piece: AnswerPiece, isSent: Bool) async throws {
        let done = handler.eventLoop.makePromise(of: Void.self)
        onLoop { $0.wait(.room(piece, isSent: isSent, done), for: number) }
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

package struct BodyTooLarge: Error {}

enum AnswerPiece: Sendable {
    case whole(HTTPResponse, ByteBuffer)
    case head(HTTPResponse, untilInputCloses: Bool)
    case body(ByteBuffer)
    case end
}
