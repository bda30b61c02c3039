import Glibc
import NIOCore
import NIOPosix
import Transport

/// One address that serves pages only, with a time limit for each client.
package final class PageListener: Sendable {
    package struct CannotListen: Error, CustomStringConvertible {
        package let address: LiveAddress
        package let reason: String
        package var description: String { "cannot listen on \(address): \(reason)" }
    }

    let address: LiveAddress
    private let listener: HTTPListener

    /// Returns once connections are accepted.
    ///
    /// `loops` must outlive the listener. A nil `executor` is the shared pool. `respond` gets the requests that may be
    /// answered; an error from it ends the connection.
    ///
    /// - Throws: `CannotListen`, after which nothing is left open.
    init(
        _ address: LiveAddress,
        on loops: MultiThreadedEventLoopGroup,
        executor: (any TaskExecutor)?,
        respond: @escaping @Sendable (PageTurn) async throws -> Void
    ) async throws(CannotListen) {
        self.address = address
        do {
            listener = try await HTTPListener.listen(Self.settings(address), on: loops, executor: executor) { request in
                try await respond(PageTurn.admit(request, at: address))
            }
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw CannotListen(address: address, reason: reason)
        }
    }

    package var url: String { address.url(port: listener.port) }

    /// Returns once all connections are closed.
    package func stop() async { await listener.stop() }

    private static func settings(_ address: LiveAddress) -> ListenerSettings {
        var settings = ListenerSettings.shortMessages(host: address.host, port: address.port, bodyLimit: 0)
        settings.backlog = 64
        settings.connectionLimit = 64
        return settings
    }
}
