import Results
package import Transport

/// Serves a meeting folder to shards that cannot see it: put-if-absent, list and time.
///
/// All state is in the folder, so a restarted server continues.
package final class RendezvousServer: Sendable {
    package struct Settings: Sendable {
        /// Host name or address of this machine.
        package var host: String
        /// 0 selects a free port.
        package var port: Int
        /// Has a subfolder for each run.
        package var folder: String
        /// Bearer token of clients; nil serves every client that connects by address or as `localhost`.
        package var token: String?
        /// Nil serves without TLS.
        package var tls: ServerTLSContext?

        package init(host: String, port: Int, folder: String, token: String?, tls: ServerTLSContext? = nil) {
            (self.host, self.port, self.folder, self.token, self.tls) = (host, port, folder, token, tls)
        }
    }

    private let listening: ListeningThread

    package var port: Int { listening.port }
    /// URL for shards on this machine; other machines use a host name.
    package let url: String

    /// Returns once connections are accepted.
    ///
    /// - Throws: `RendezvousError` if the folder cannot be created or written to, `CannotListen`; nothing is left open.
    package init(_ settings: Settings) async throws {
        _ = try RendezvousFolder(path: settings.folder)
        let responder = RendezvousResponder(folder: settings.folder, token: settings.token)
        listening = try await ListeningThread(Self.listening(settings)) { try await responder.respond(to: $0) }
        url = "\(settings.tls == nil ? "http" : "https")://\(listening.authority)"
    }

    package func stop() async {
        await listening.stop()
    }

    private static func listening(_ settings: Settings) -> ListenerSettings {
        var listening = ListenerSettings.shortMessages(
            host: settings.host,
            port: settings.port,
            bodyLimit: RendezvousListing.longestContent
        )
        // Enough for a thousand shards with a connection each.
        listening.connectionLimit = 4_096
        listening.backlog = 1_024
        listening.tls = settings.tls
        return listening
    }
}
