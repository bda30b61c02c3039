import Glibc
import NIOCore
import NIOPosix
import Profile
import Synchronization
import Transport
import Values

/// A live channel, an ad server and their ground truth on one port.
package final class OriginServer: Sendable {
    private enum Phase {
        case idle
        /// Finishing it lets `run` return.
        case running(AsyncStream<Void>.Continuation)
        case stopped
    }

    private let service: OriginService
    private let tls: ServerTLSContext?
    private let phase = Mutex(Phase.idle)

    /// Throws `OriginConfigurationError` or `ProfileErrors` with every mistake at once.
    package init(configuration: OriginConfiguration) throws {
        service = try OriginService(configuration)
        let (now, offersHTTP2) = (Int64(time(nil)), configuration.useHTTP2)
        tls = configuration.usesTLS ? try Self.tls(epochSeconds: now, offersHTTP2: offersHTTP2) : nil
        if let tls { try configuration.writeCertificate(tls.certificatePEM) }
    }

    package var multivariantPath: String { "/live/\(OriginConfiguration.channel)/multivariant.m3u8" }

    /// May be called during and after the run.
    package func groundTruth() -> GroundTruth { service.groundTruth() }

    /// Ends with `stop` or cancellation; may be called once; `onReady` gets the port.
    ///
    /// Throws `CannotListen` if the address cannot be bound.
    package func run(onReady: @escaping @Sendable (Int) -> Void) async throws {
        let (stops, stop) = AsyncStream<Void>.makeStream()
        let mayRun = phase.withLock { phase in
            guard case .idle = phase else { return false }
            phase = .running(stop)
            return true
        }
        guard mayRun else { return }
        // One thread is the fastest on a machine shared with the load generator.
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var failure: (any Error)?
        do {
            let listener = try await listen(on: loops)
            listener.closed.whenComplete { _ in stop.finish() }
            service.listens(on: listener.port)
            onReady(listener.port)
            for await _ in stops {}
            await listener.stop()
        } catch {
            failure = error
        }
        phase.withLock { $0 = .stopped }
        try await loops.shutdownGracefully()
        if let failure { throw failure }
    }

    /// Takes about half a second; a later `run` returns at once.
    package func stop() {
        phase.withLock { phase in
            if case .running(let stop) = phase { stop.finish() } else { phase = .stopped }
        }
    }

    static func tls(epochSeconds now: Int64, offersHTTP2: Bool) throws -> ServerTLSContext {
        try ServerTLSContext(selfSigned: "podswarm reference origin", epochSeconds: now, offersHTTP2: offersHTTP2)
    }

    private func listen(on loops: MultiThreadedEventLoopGroup) async throws -> HTTPListener {
        let configuration = service.configuration
        var settings = ListenerSettings(at: ListeningAddress(host: configuration.host, port: configuration.port))
        // Bursts connect thousands of viewers.
        settings.backlog = 8_192
        // nginx's default `keepalive_timeout`: viewers' unused connections would pile up.
        settings.idleLimit = .seconds(75)
        settings.bodyLimit = OriginResponder.maximumBodyBytes
        settings.offersHTTP2 = configuration.useHTTP2
        settings.framesAnswers = !service.misframesAnswers
        settings.tls = tls
        let responder = OriginResponder(service: service)
        return try await HTTPListener(
            settings,
            on: loops,
            // No request changes threads.
            executor: LoopTaskExecutor(loops.next())
        ) { try await responder.respond(to: $0) }
    }
}
