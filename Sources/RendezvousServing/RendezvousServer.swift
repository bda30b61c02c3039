import HTTPServing
import Rendezvous
package import ServerTLS

/// Serves a folder in which shards meet to those that do not see it: put-if-absent and list, and the time.
///
/// The folder is the truth: a server that is started again goes on where the last one ended.
package final class RendezvousServer: Sendable {
    /// What is served, and to whom.
    package struct Settings: Sendable {
        /// A name or an address of this machine.
        package var host: String
        /// 0 takes a free one.
        package var port: Int
        /// A folder in it for each run.
        package var folder: String
        /// What a client has to show; nil serves everybody who comes by an address or as `localhost`.
        package var token: String?
        /// Nil serves without TLS.
        package var tls: ServerTLSContext?

        package init(host: String, port: Int, folder: String, token: String?, tls: ServerTLSContext? = nil) {
            (self.host, self.port, self.folder, self.token, self.tls) = (host, port, folder, token, tls)
        }
    }

    private let listening: ListeningThread

    /// The port that is listened on.
    package var port: Int { listening.port }
    /// How shards on this machine call it; those on others call the machine by a name of theirs.
    package let url: String

    /// Returns once connections are accepted.
    ///
    /// - Throws: `RendezvousError` where the folder cannot be made or written to, `CannotListen`; nothing is left open.
    package init(_ settings: Settings) async throws {
        _ = try RendezvousFolder(path: settings.folder)
        let responder = RendezvousResponder(folder: settings.folder, token: settings.token)
        listening = try await ListeningThread(Self.listening(settings)) { try await responder.respond(to: $0) }
        url = "\(settings.tls == nil ? "http" : "https")://\(listening.authority)"
    }

    /// Ends every connection and the thread.
    package func stop() async {
        await listening.stop()
    }

    private static func listening(_ settings: Settings) -> ListenerSettings {
        var listening = ListenerSettings.shortMessages(
            host: settings.host,
            port: settings.port,
            bodyLimit: RendezvousListing.longestContent
        )
        // A thousand shards, each with a connection of its own.
        listening.connectionLimit = 4_096
        listening.backlog = 1_024
        listening.tls = settings.tls
        return listening
    }
}
