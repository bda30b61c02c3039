import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// An HTTP/2 connection (RFC 9113), each of whose streams is one request.
struct HTTP2Connection: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<HTTP2Stream.Value>
    }

    let stream: HTTP2Stream

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // A client that closes its side has no stream to end any more.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
            let management = NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(maxIdleTime: nil, maxAge: nil, maxGraceTime: nil, keepalive: nil)
            )
            let streams = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
                mode: .server,
                streamDelegate: management.http2StreamDelegate,
                configuration: .init()
            ) { stream.setup(channel: $0, logger: logger) }
            try channel.pipeline.syncOperations.addHandler(management)
            try channel.pipeline.syncOperations.addHandler(CloseOnError())
            return Value(channel: channel, streams: streams)
        }
    }

    func handle(value: Value, logger: Logger) async {
        // An error has closed the connection, and with it every stream.
        try? await withThrowingDiscardingTaskGroup { group in
            for try await accepted in value.streams.inbound {
                group.addTask { await stream.handle(value: accepted, logger: logger) }
            }
        }
    }
}

/// One request of an HTTP/2 connection, and its answer.
struct HTTP2Stream: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
            return try Value(wrappingChannelSynchronously: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}

/// Closes a connection whose protocol was broken; HTTP/2 has told the peer why by then (RFC 9113 5.4.1).
private final class CloseOnError: ChannelInboundHandler {
    typealias InboundIn = Any

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
