import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2

struct RequestService: Sendable {
    let settings: ListenerSettings
    let respond: HTTPListener.Responder
    let executor: (any TaskExecutor)?
    let connections: OpenConnections

    /// The task is counted until it ends.
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

    /// Chosen by ALPN (RFC 7301).
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

    /// One request per stream (RFC 9113).
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
