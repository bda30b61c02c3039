import Foundation
import HLS
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServerTLS
import ServiceLifecycle
import Synchronization

/// The reference origin: a live channel, an ad server and their ground truth behind one port.
package final class OriginServer: Sendable {
    private enum Phase {
        case idle
        case running(ServiceGroup)
        case stopped
    }

    private let service: OriginService
    private let identity: ServerIdentity?
    private let phase = Mutex(Phase.idle)

    /// Reads media and fault plan and makes the certificate; nothing is listened on before `run`.
    ///
    /// Throws `OriginConfigurationError` or `PlanError` with every mistake at once.
    package init(configuration: OriginConfiguration) throws {
        try configuration.validate()
        var plan = FaultPlan.empty
        if let path = configuration.faultPlanPath {
            let text = try OriginFile(setting: .faultPlanPath, path: path).text()
            plan = try FaultPlanReader.read(text, seed: configuration.seed)
        }
        var channelPlan = ChannelPlan.plain
        if let path = configuration.channelPlanPath {
            channelPlan = try ChannelPlan.read(try OriginFile(setting: .channelPlanPath, path: path).text())
        }
        try channelPlan.validate(on: configuration)
        let started = WallClock.now()
        service = try OriginService(
            configuration,
            plan: plan,
            channelPlan: channelPlan,
            clips: try ClipLibrary(),
            started: started
        )
        identity = configuration.useTLS ? try Self.identity(at: started) : nil
        if let path = configuration.certificateOutput, let identity {
            try OriginFile(setting: .certificateOutput, path: path).write(identity.certificatePEM)
        }
    }

    /// Path of the channel's multivariant playlist.
    package var multivariantPath: String { "/live/\(service.configuration.channel)/multivariant.m3u8" }

    /// What was counted up to now; may be asked while running and after the end.
    package func groundTruth() -> GroundTruth { service.truth(at: WallClock.now()) }

    /// Serves until `stop` is called or the task is cancelled; tells the port once it is listened on.
    ///
    /// Throws `OriginListenError` when the address cannot be bound. May be called once.
    package func run(onReady: @escaping @Sendable (Int) -> Void) async throws {
        DescriptorLimit.raise()
        let configuration = service.configuration
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: configuration.eventLoopThreads)
        let responder = OriginResponder(service: service)
        let address = service.address
        let server = try builder().buildServer(
            // Bursts connect thousands of viewers at once; the kernel caps this at net.core.somaxconn.
            configuration: ServerConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                backlog: 8_192
            ),
            eventLoopGroup: loops,
            logger: Self.logger,
            responder: { try await responder.respond(to: $0, writer: $1, channel: $2) },
            onServerRunning: { channel in
                responder.listens(on: channel)
                let port = channel.localAddress?.port ?? configuration.port
                address.listens(on: port)
                onReady(port)
            }
        )
        var group = ServiceGroupConfiguration(services: [server], logger: Self.logger)
        // Clients keep their connections open; nobody waits for them to leave.
        group.maximumGracefulShutdownDuration = .milliseconds(500)
        let services = ServiceGroup(configuration: group)
        let mayRun = phase.withLock { phase in
            guard case .idle = phase else { return false }
            phase = .running(services)
            return true
        }
        if mayRun {
            // With one loop, all tasks run on its thread: no request changes threads. More loops share the pool.
            let executor = configuration.eventLoopThreads == 1 ? LoopTaskExecutor(eventLoop: loops.next()) : nil
            let outcome = await withTaskExecutorPreference(executor) {
                await Self.outcome { try await services.run() }
            }
            phase.withLock { $0 = .stopped }
            executor?.leave()
            try await loops.shutdownGracefully()
            do {
                try outcome.get()
            } catch let error as IOError {
                throw OriginListenError(description: String(cString: strerror(error.errnoCode)))
            } catch let error as SocketAddressError.UnknownHost {
                throw OriginListenError(description: error.errorDescription)
            }
        } else {
            try await loops.shutdownGracefully()
        }
    }

    /// Stops serving, after which `run` returns within about half a second.
    ///
    /// Before `run`, it keeps it from serving at all.
    package func stop() {
        let running = phase.withLock { phase -> ServiceGroup? in
            guard case .running(let group) = phase else {
                phase = .stopped
                return nil
            }
            return group
        }
        guard let running else { return }
        Task { await running.triggerGracefulShutdown() }
    }

    /// What clients of a TLS origin are shown, and may be handed to trust.
    static func identity(at now: WallTime) throws -> ServerIdentity {
        try ServerIdentity(name: "podswarm reference origin", epochSeconds: now.epochSeconds)
    }

    private func builder() throws -> HTTPServerBuilder {
        let offersHTTP2 = service.configuration.useHTTP2
        let tls = try identity.map { try ServerTLSContext($0, offersHTTP2: offersHTTP2) }
        return HTTPServerBuilder { responder in
            let http1 = HTTP1Channel(responder: responder, configuration: .init(idleTimeout: Self.idleTimeout))
            let http2 = HTTP2Connection(stream: HTTP2Stream(responder: responder))
            return switch (tls, offersHTTP2) {
            case (nil, false): http1
            case (nil, true): http2
            case (let tls?, false): TLSConnection(tls: tls, inner: http1)
            case (let tls?, true): TLSConnection(tls: tls, inner: NegotiatedConnection(http1: http1, http2: http2))
            }
        }
    }

    /// As long as nginx keeps an idle connection (its `keepalive_timeout`).
    ///
    /// Otherwise connections that a viewer opened for a break and never uses again would pile up over hours.
    private static let idleTimeout: TimeAmount = .seconds(75)

    private static func outcome(_ work: () async throws -> Void) async -> Result<Void, any Error> {
        do {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    /// Only what ends the server is worth a line; everything else is in ground truth.
    private static var logger: Logger {
        var logger = Logger(label: "podswarm.origin", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        return logger
    }
}
