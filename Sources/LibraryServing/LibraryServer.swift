import Glibc
import HTTPServing
package import LiveView
import NIOCore
import NIOPosix

/// Serves the runs of a folder until it is stopped.
package final class LibraryServer: Sendable {
    /// An address that cannot be served at.
    package struct CannotListen: Error, CustomStringConvertible {
        package let description: String
    }

    private let loops: MultiThreadedEventLoopGroup
    private let listener: HTTPListener
    /// Where a browser on this machine finds it.
    package let url: String

    /// Returns once connections are accepted.
    ///
    /// - Throws: `CannotListen`, after which nothing is left open.
    package init(_ desk: LibraryDesk, at address: LiveAddress) async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let responder = LibraryResponder(desk: desk, hosts: HostPolicy(address))
        do {
            // In the shared pool, because a page of thousands of runs must not hold up the loop.
            listener = try await HTTPListener.listen(Self.settings(address), on: loops, executor: nil) {
                try await responder.respond(to: $0)
            }
        } catch {
            try? await loops.shutdownGracefully()
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw CannotListen(description: "cannot listen on \(address): \(reason)")
        }
        self.loops = loops
        url = address.url(port: listener.port)
    }

    /// Ends every connection and the thread.
    package func stop() async {
        await listener.stop()
        try? await loops.shutdownGracefully()
    }

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
