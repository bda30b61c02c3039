import Glibc
import NIOCore
import NIOPosix

/// What keeps a server from listening.
package struct CannotListen: Error, CustomStringConvertible {
    package let description: String
}

/// A listener with a thread of its own, for a server that is asked little.
package struct ListeningThread: Sendable {
    private let loops: MultiThreadedEventLoopGroup
    private let listener: HTTPListener
    /// Host and port as they stand in a URL.
    package let authority: String

    /// The port that is listened on.
    package var port: Int { listener.port }

    /// Returns once connections are accepted.
    ///
    /// - Parameters:
    ///   - settings: Where, and what is spoken.
    ///   - respond: Answers requests.
    /// - Throws: `CannotListen`; nothing is left open.
    package init(_ settings: ListenerSettings, respond: @escaping HTTPListener.Responder) async throws(CannotListen) {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            listener = try await HTTPListener.listen(settings, on: loops, executor: nil, respond: respond)
        } catch {
            try? await loops.shutdownGracefully()
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw CannotListen(description: "cannot listen on \(settings.host):\(settings.port): \(reason)")
        }
        self.loops = loops
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        authority = "\(host):\(listener.port)"
    }

    /// Ends every connection and the thread.
    package func stop() async {
        await listener.stop()
        try? await loops.shutdownGracefully()
    }
}

extension ListenerSettings {
    /// For messages of podswarm's own and of scripts: short heads, and connections that do not rest for long.
    package static func shortMessages(host: String, port: Int, bodyLimit: Int) -> ListenerSettings {
        var settings = ListenerSettings(host: host, port: port)
        settings.idleLimit = .seconds(60)
        settings.headLimit = .seconds(10)
        settings.headLimits.fieldBytes = 8 * 1024
        settings.headLimits.allBytes = 16 * 1024
        settings.headLimits.fieldCount = 100
        settings.bodyLimit = bodyLimit
        return settings
    }
}
