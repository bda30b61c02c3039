import Results
package import Transport

/// Serves a meeting folder to shards that cannot see it: put-if-absent, list and time.
///
/// All state is in the folder, so a restarted server continues.
package final class RendezvousServer: Sendable {
    private let listening: ListeningThread

    package var port: Int { listening.port }
    /// URL for shards on this machine; other machines use a host name.
    package let url: String

    /// Returns once connections are accepted.
    ///
    /// `folder` has a subfolder for each run; port 0 selects a free one. A nil `token` serves every client that connects by
    /// address or as `localhost`; a nil `tls` serves without TLS.
    ///
    /// - Throws: `RendezvousError` if the folder cannot be created or written to, `CannotListen`; nothing is left open.
    package init(host: String, port: Int, folder: String, token: String?, tls: ServerTLSContext? = nil) async throws {
        _ = try RendezvousFolder(path: folder)
        let responder = RendezvousResponder(folder: folder, access: ClientAccess(token: token))
        var settings = ListenerSettings.shortMessages(
            host: host,
            port: port,
            bodyLimit: RendezvousListing.longestContent
        )
        // Enough for a thousand shards with a connection each.
        settings.connectionLimit = 4_096
        settings.backlog = 1_024
        settings.tls = tls
        listening = try await ListeningThread(settings) { try await responder.respond(to: $0) }
        url = "\(tls == nil ? "http" : "https")://\(listening.authority)"
    }

    package func stop() async {
        await listening.stop()
    }
}
