import Glibc
package import HTTPTypes
package import NIOCore
package import NIOHTTP1
package import NIOPosix
package import Values

package final class HTTPListener: Sendable {
    /// Runs in its own task, cancelled when the client disconnects; the connection ends unless it completes the answer.
    package typealias Responder = @Sendable (ServedRequest) async throws -> Void

    package let address: ListeningAddress
    package let port: Int
    private let channel: any Channel
    private let connections: OpenConnections
    private let grace: TimeAmount
    /// nil where it serves on loops of others.
    private let ownLoop: MultiThreadedEventLoopGroup?

    /// A connection keeps up to four buffers of the greatest size, also while it rests; NIO's would be of 64 KiB.
    private static let reading = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2_048, maximum: 4_096)

    /// For a browser on this machine.
    package var url: String { address.url(port: port) }

    package var authority: String { address.host.authority(port: port) }

    /// The caller must stop the listener, which `loops` must outlive, and which has a thread of its own without them; requests
    /// are answered on `executor`, else on the shared pool; a failed start leaves nothing open.
    package init(
        _ settings: ListenerSettings,
        on loops: MultiThreadedEventLoopGroup? = nil,
        executor: (any TaskExecutor)? = nil,
        respond: @escaping Responder
    ) async throws(CannotListen) {
        let group = loops ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let connections = OpenConnections(settings)
        (self.connections, ownLoop) = (connections, loops == nil ? group : nil)
        (address, grace) = (settings.address, settings.grace)
        let service = RequestService(settings: settings, respond: respond, executor: executor, connections: connections)
        // Connections inherit NIO's default, TCP_NODELAY.
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: settings.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: Self.reading)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let limit = settings.connectionLimit else { return }
                    try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
                    try channel.pipeline.syncOperations.addHandler(ConnectionLimit(limit, of: connections))
                }
            }
            .childChannelInitializer { service.prepare($0) }
        do {
            channel = try await bootstrap.bind(host: settings.address.host, port: settings.address.port).get()
        } catch {
            if loops == nil { try? await group.shutdownGracefully() }
            throw CannotListen(settings.address, error)
        }
        port = channel.localAddress?.port ?? settings.address.port
    }

    /// Succeeds once the listener was stopped, or the system closed its socket.
    package var closed: EventLoopFuture<Void> { channel.closeFuture }

    /// Returns once every connection is closed and every request answered; connections are cut after the grace period.
    package func stop() async {
        try? await channel.close().get()
        connections.quiesce()
        let cutting = channel.eventLoop.scheduleTask(in: grace) { [connections] in connections.cut() }
        await connections.ended()
        cutting.cancel()
        try? await ownLoop?.shutdownGracefully()
    }
}

package struct ListenerSettings: Sendable {
    package let address: ListeningAddress
    /// At most `net.core.somaxconn`.
    package var backlog: Int32 = 256
    /// Maximum of open connections, see `ConnectionLimit`; nil for no limit but that of descriptors.
    package var connectionLimit: Int?
    /// For the head of an HTTP/1.1 request, from its first byte or from the connection's beginning; nil for `idleLimit`.
    package var headLimit: TimeAmount?
    /// HTTP/1.1 only, between requests or in the middle of one.
    package var idleLimit = TimeAmount.seconds(75)
    /// For clients to read their last answers after `stop`.
    package var grace = TimeAmount.milliseconds(500)
    /// Longer heads are answered 400.
    package var headLimits: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 80 * 1024
        limits.maxHeaderListSize = 80 * 1024
        limits.maxHeaderFieldCount = 1_000
        return limits
    }()
    /// Bytes of the longest request body that is read.
    package var bodyLimit = 0
    /// The body of any other request is discarded as it comes.
    package var keepsBody: @Sendable (HTTPRequest) -> Bool = { _ in true }
    /// Bytes that wait for clients, together; above it the clients that have kept them waiting longest are disconnected.
    package var unsentLimit: Int?
    /// Bytes of bodies that are kept and not yet answered, together; a request beyond it is answered 503.
    package var receivedLimit: Int?
    /// A request with a body that takes longer is disconnected where another one needs its bytes.
    package var bodyPatience = TimeAmount.seconds(10)
    /// HTTP/1.1 answers are framed by length or in chunks, whatever their heads say.
    package var framesAnswers = true
    /// Clients may negotiate HTTP/2 with TLS, and must use it from the first byte on without.
    package var offersHTTP2 = false
    package var tls: ServerTLSContext?

    package init(at address: ListeningAddress) { self.address = address }
}

package struct CannotListen: Error, CustomStringConvertible {
    package let address: ListeningAddress
    /// Message of the system, or of the host's look-up.
    package let reason: String
    package var description: String { "cannot listen on \(address): \(reason)" }

    init(_ address: ListeningAddress, _ error: any Error) {
        self.address = address
        reason =
            switch error {
            case let error as IOError: String(cString: strerror(error.errnoCode))
            case let error as SocketAddressError.UnknownHost: error.errorDescription
            default: "\(error)"
            }
    }
}

extension ListenerSettings {
    /// Settings for short heads and brief rests.
    package static func shortMessages(at address: ListeningAddress, bodyLimit: Int) -> ListenerSettings {
        var settings = ListenerSettings(at: address)
        settings.idleLimit = .seconds(60)
        settings.headLimit = .seconds(10)
        settings.headLimits.maxHeaderFieldSize = 8 * 1024
        settings.headLimits.maxHeaderListSize = 16 * 1024
        settings.headLimits.maxHeaderFieldCount = 100
        settings.bodyLimit = bodyLimit
        settings.unsentLimit = 32 << 20
        settings.receivedLimit = 64 << 20
        return settings
    }
}

/// A request never changes threads between its socket and its answer; the loop must outlive the tasks: later jobs are lost.
package final class LoopTaskExecutor: TaskExecutor {
    private let eventLoop: any NIOCore.EventLoop

    package init(_ eventLoop: any NIOCore.EventLoop) { self.eventLoop = eventLoop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Without a token, requests must name this machine by an address or as `localhost`.
package struct ClientAccess: Sendable {
    package enum Refusal: Sendable {
        /// The host may belong to a web page elsewhere.
        case misdirected
        /// Browsers name the page that sends a request (Fetch, `Origin`).
        case fromWebPage
        case unauthorised
    }

    /// Nil permits every request to an address of this machine.
    package let token: String?

    package init(token: String?) { self.token = token }

    package func refusal(of head: HTTPRequest) -> Refusal? {
        guard let token else {
            guard ListeningAddress.isOwn(head.authority) else { return .misdirected }
            return head.headerFields[.origin] == nil ? nil : .fromWebPage
        }
        let given = Array((head.headerFields[.authorization] ?? "").utf8)
        return Digest.areEqual(given, Array("Bearer \(token)".utf8)) ? nil : .unauthorised
    }
}
