package import NIOCore
package import NIOPosix

/// One address on which HTTP requests are accepted and answered, until it is stopped.
package final class HTTPListener: Sendable {
    /// Answers one request; where it throws, or returns before the answer is whole, it ends the connection.
    ///
    /// Runs in a task of its own, which is cancelled when the client has gone.
    package typealias Responder = @Sendable (ServedRequest) async throws -> Void

    /// The port that is listened on.
    package let port: Int
    private let channel: any Channel
    private let connections: OpenConnections
    private let grace: TimeAmount

    private init(_ channel: any Channel, port: Int, _ connections: OpenConnections, grace: TimeAmount) {
        self.channel = channel
        self.port = port
        self.connections = connections
        self.grace = grace
    }

    /// Returns once connections are accepted.
    ///
    /// - Parameters:
    ///   - settings: Where, and what is spoken.
    ///   - loops: Carry the connections; they have to outlive the listener.
    ///   - executor: Where requests are answered; nil for the shared pool.
    ///   - respond: Answers them.
    /// - Returns: The listener, which the caller has to stop.
    /// - Throws: `IOError` where the system refuses the address, `SocketAddressError` where there is none of that name.
    package static func listen(
        _ settings: ListenerSettings,
        on loops: MultiThreadedEventLoopGroup,
        executor: (any TaskExecutor)?,
        respond: @escaping Responder
    ) async throws -> HTTPListener {
        let connections = OpenConnections()
        let service = RequestService(
            respond: respond,
            executor: executor,
            bodyLimit: settings.bodyLimit,
            connections: connections
        )
        let setup = ConnectionSetup(settings: settings, service: service)
        // That nothing waits for more to be sent (TCP_NODELAY) is said to this channel by default; connections inherit it.
        let channel = try await ServerBootstrap(group: loops)
            .serverChannelOption(.backlog, value: settings.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let limit = settings.connectionLimit else { return }
                    try channel.pipeline.syncOperations.addHandler(ConnectionLimit(limit, of: connections))
                }
            }
            .childChannelInitializer { setup.prepare($0) }
            .bind(host: settings.host, port: settings.port)
            .get()
        let port = channel.localAddress?.port ?? settings.port
        return HTTPListener(channel, port: port, connections, grace: settings.grace)
    }

    /// Succeeds when nothing is accepted any more, because it was stopped or the system has closed the socket.
    package var closed: EventLoopFuture<Void> { channel.closeFuture }

    /// Accepts nothing more, and returns when no connection is left and no request is being answered.
    ///
    /// Connections close as soon as they are not answering; when their grace is over, those that are left are cut. It may
    /// be called more than once.
    package func stop() async {
        try? await channel.close().get()
        connections.quiesce()
        let cutting = channel.eventLoop.scheduleTask(in: grace) { [connections] in connections.cut() }
        await connections.ended()
        cutting.cancel()
    }
}
