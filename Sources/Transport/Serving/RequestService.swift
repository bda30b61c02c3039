package import HTTPTypes
package import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2

struct RequestService: Sendable {
    let settings: ListenerSettings
    let respond: HTTPListener.Responder
    let executor: (any TaskExecutor)?
    let connections: OpenConnections

    func serve(_ request: ServedRequest) -> Task<Void, Never> {
        connections.taskBegan()
        return Task(executorPreference: executor) {
            do {
                try await respond(request)
                request.finished(isFailed: false)
            } catch {
                request.finished(isFailed: true)
            }
            connections.taskEnded()
        }
    }

    func prepare(_ channel: any Channel) -> EventLoopFuture<Void> {
        let isHTTP2 = settings.tls == nil && settings.offersHTTP2
        guard connections.add(channel, rests: !isHTTP2) else {
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        do {
            if let tls = settings.tls {
                try channel.pipeline.syncOperations.addHandler(TLSServerHandler(tls))
                if settings.offersHTTP2 { return speakWhatIsChosen(channel) }
            }
            if isHTTP2 { try speakHTTP2(channel) } else { try speakHTTP1(channel) }
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    private func speakWhatIsChosen(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.configureHTTP2SecureUpgrade(
            h2ChannelConfigurator: { channel in
                // With concurrent requests, resting is not tracked.
                connections.rests(channel, false)
                return channel.eventLoop.makeCompletedFuture { try speakHTTP2(channel) }
            },
            http1ChannelConfigurator: { channel in
                channel.eventLoop.makeCompletedFuture { try speakHTTP1(channel) }
            }
        )
    }

    private func speakHTTP1(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = settings.framesAnswers
        let heads = settings.headLimit.map(HeadTimer.init)
        if let heads { try pipeline.addHandler(heads) }
        try pipeline.configureHTTPServerPipeline(
            withErrorHandling: false,
            // `HTTPTypes` allows only valid field values.
            withOutboundHeaderValidation: false,
            withEncoderConfiguration: encoding,
            withDecoderLimitConfiguration: settings.headLimits
        )
        if heads != nil { try pipeline.addHandler(HostReader()) }
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: settings.tls != nil))
        let handler = RequestHandler(self, connection: channel, idleLimit: settings.idleLimit)
        handler.heads = heads
        try pipeline.addHandler(handler)
    }

    private func speakHTTP2(_ channel: any Channel) throws {
        // A half-closed HTTP/2 connection has no stream left to end.
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
        let management = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(maxIdleTime: nil, maxAge: nil, maxGraceTime: nil, keepalive: nil)
        )
        let pipeline = channel.pipeline.syncOperations
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server,
            connectionConfiguration: .init(),
            streamConfiguration: .init(),
            streamDelegate: management.http2StreamDelegate
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                try pipeline.addHandler(RequestHandler(self, connection: channel, idleLimit: nil))
            }
        }
        try pipeline.addHandler(management)
        try pipeline.addHandler(CloseOnError())
    }
}

/// Requests have one host (RFC 9112 3.2), that of an absolute target if they have one (3.2.2).
private final class HostReader: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        guard head.headers["Host"].count < 2 else { return context.fireErrorCaught(HTTPParserError.invalidHeaderToken) }
        if !head.uri.hasPrefix("/"), let scheme = head.uri.firstRange(of: "://") {
            let authority = head.uri[scheme.upperBound...].prefix { !"/?#".contains($0) }
            head.headers.replaceOrAdd(name: "Host", value: String(authority))
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

/// HTTP/2 has sent the peer the reason by then (RFC 9113 5.4.1).
private final class CloseOnError: ChannelInboundHandler {
    typealias InboundIn = Any

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

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
