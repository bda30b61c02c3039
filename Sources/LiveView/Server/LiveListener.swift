import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// One address that is listened on.
final class LiveListener: Sendable {
    /// Connections beyond this wait until others have gone.
    private static let connectionLimit = 64
    /// Between requests, and for a request that does not arrive whole.
    private static let idleTimeout = TimeAmount.seconds(60)

    let address: LiveAddress
    let port: Int
    private let services: ServiceGroup
    private let running: Task<Void, Never>

    /// Returns once connections are accepted.
    ///
    /// - Parameters:
    ///   - address: Where.
    ///   - responder: Answers requests.
    ///   - loops: Carries the connections.
    /// - Throws: The system's error where the address cannot be listened on.
    init(_ address: LiveAddress, _ responder: LiveResponder, on loops: MultiThreadedEventLoopGroup) async throws {
        let (starts, start) = AsyncStream<Result<Int, any Error>>.makeStream()
        let server = try HTTPServerBuilder.http1(
            configuration: .init(
                idleTimeout: Self.idleTimeout,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 * 1024,
                    maxHeaderListSize: 16 * 1024,
                    maxHeaderFieldCount: 100
                )
            )
        ).buildServer(
            configuration: ServerConfiguration(
                address: .hostname(address.host, port: address.port),
                backlog: 64,
                availableConnectionsDelegate: MaximumAvailableConnections(Self.connectionLimit)
            ),
            eventLoopGroup: loops,
            logger: Self.logger,
            responder: { try await responder.respond(to: $0, writer: $1, channel: $2) },
            onServerRunning: { start.yield(.success($0.localAddress?.port ?? address.port)) }
        )
        var configuration = ServiceGroupConfiguration(services: [server], logger: Self.logger)
        configuration.maximumGracefulShutdownDuration = .milliseconds(500)
        let services = ServiceGroup(configuration: configuration)
        let executor = LoopExecutor(loops.next())
        let running = Task(executorPreference: executor) {
            do {
                try await services.run()
                start.finish()
            } catch {
                start.yield(.failure(error))
            }
        }
        var outcomes = starts.makeAsyncIterator()
        guard let port = try await outcomes.next()?.get() else { throw CancellationError() }
        self.address = address
        self.port = port
        self.services = services
        self.running = running
    }

    var url: String { address.url(port: port) }

    /// Returns when no connection is left.
    func stop() async {
        await services.triggerGracefulShutdown()
        await running.value
    }

    /// What a server logs about its clients is of no use to somebody who runs a load test.
    private static var logger: Logger {
        var logger = Logger(label: "podswarm.live", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        return logger
    }
}

/// Runs tasks on one event loop's thread, which gives way to the threads that make the load.
final class LoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
