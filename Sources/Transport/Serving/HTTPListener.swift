package import NIOCore
package import NIOPosix

package final class HTTPListener: Sendable {
    /// Answers one request; the connection ends if it throws or returns before the answer is complete.
    ///
    /// Runs in its own task, which is cancelled when the client disconnects.
    package typealias Responder = @Sendable (ServedRequest) async throws -> Void

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

    /// Returns once connections are accepted; the caller must stop the listener.
    ///
    /// `loops` must outlive the listener. Requests are answered on `executor`, or on the shared pool if it is nil. Throws
    /// `IOError` if the system refuses the address, `SocketAddressError` for an unknown host name.
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
        // NIO sets TCP_NODELAY on this channel by default; connections inherit it.
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

    /// Succeeds once the listener was stopped or the system has closed its socket.
    package var closed: EventLoopFuture<Void> { channel.closeFuture }

    /// Stops accepting and returns once every connection is closed and every request answered.
    ///
    /// Connections close when they have answered; those left after the grace period are cut. May be called repeatedly.
    package func stop() async {
        try? await channel.close().get()
        connections.quiesce()
        let cutting = channel.eventLoop.scheduleTask(in: grace) { [connections] in connections.cut() }
        await connections.ended()
        cutting.cancel()
    }
}
