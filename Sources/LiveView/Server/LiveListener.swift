import HTTPServing
import NIOCore
import NIOPosix

/// One address that is listened on.
final class LiveListener: Sendable {
    let address: LiveAddress
    private let listener: HTTPListener

    /// Returns once connections are accepted.
    ///
    /// - Parameters:
    ///   - address: Where.
    ///   - responder: Answers requests.
    ///   - loops: Carries the connections.
    /// - Throws: The system's error where the address cannot be listened on.
    init(_ address: LiveAddress, _ responder: LiveResponder, on loops: MultiThreadedEventLoopGroup) async throws {
        self.address = address
        listener = try await HTTPListener.listen(
            Self.settings(address),
            on: loops,
            executor: LoopTaskExecutor(loops.next())
        ) { try await responder.respond(to: $0) }
    }

    var url: String { address.url(port: listener.port) }

    /// Returns when no connection is left.
    func stop() async { await listener.stop() }

    private static func settings(_ address: LiveAddress) -> ListenerSettings {
        var settings = ListenerSettings(host: address.host, port: address.port)
        settings.backlog = 64
        settings.connectionLimit = 64
        settings.idleLimit = .seconds(60)
        settings.headLimit = .seconds(10)
        settings.headLimits.fieldBytes = 8 * 1024
        settings.headLimits.allBytes = 16 * 1024
        settings.headLimits.fieldCount = 100
        return settings
    }
}
