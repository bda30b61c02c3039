import Glibc
import NIOCore
import NIOPosix

package struct CannotListen: Error, CustomStringConvertible {
    package let description: String
}

package struct ListeningThread: Sendable {
    private let loops: MultiThreadedEventLoopGroup
    private let listener: HTTPListener
    /// `host:port` as in a URL.
    package let authority: String

    package var port: Int { listener.port }

    /// A failed start leaves nothing open.
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
        authority = SocketAddress.text(host: settings.host, port: UInt16(clamping: listener.port))
    }

    package func stop() async {
        await listener.stop()
        try? await loops.shutdownGracefully()
    }
}

extension ListenerSettings {
    /// Short heads, and brief rests.
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
