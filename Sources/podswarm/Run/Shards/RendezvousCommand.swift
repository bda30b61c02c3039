import ArgumentParser
import Foundation
import Rehearsal
import Results
import Transport

struct RendezvousCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rendezvous",
        abstract: "Serve a place where the shards of a run meet, for machines that share no folder.",
        discussion: """
            Shards put there what they say under names that are free, and list what is there; nothing else can be done. \
            Everything lies in the folder, in a folder for each run: a server that is started again goes on with it, and \
            what is not wanted any more is removed there.

              head -c 24 /dev/urandom | base64 > token
              podswarm rendezvous --listen 0.0.0.0:9470 --folder /var/lib/rendezvous --token-file token

            Exit status: 0 stopped; 2 bad arguments, or an address or folder that cannot be used; 130 stopped by a second \
            Ctrl-C.
            """
    )

    @Option(help: "HOST:PORT to listen on; port 0 takes a free one, and the URL is said on standard error.")
    var listen = "127.0.0.1:9470"

    @Option(help: "Folder that everything is kept in.")
    var folder: String

    @Option(help: "File with the token that shards have to show; or PODSWARM_RENDEZVOUS_TOKEN.")
    var tokenFile: String?

    @Option(help: "PEM file of the server's certificate and its chain; with --key it serves https://.")
    var certificate: String?

    @Option(help: "PEM file of the certificate's key.")
    var key: String?

    func run() async throws {
        let server = try await serve()
        let (stops, stop) = AsyncStream<Void>.makeStream()
        let interruption = Interruption { stop.finish() }
        for await _ in stops {}
        await server.stop()
        withExtendedLifetime(interruption) {}
    }

    private func serve() async throws -> RendezvousServer {
        do {
            let address = try LiveAddress(parsing: listen)
            let token = try RendezvousToken.ofThisProcess(file: tokenFile)
            guard token != nil || address.isLoopback else {
                throw CommandFailure(
                    .badInput,
                    "--listen \(listen): others can come there, so that it needs a token: make one with "
                        + "\(RendezvousToken.recipe) and give it with --token-file"
                )
            }
            let server = try await RendezvousServer(
                host: address.host,
                port: address.port,
                folder: folder,
                token: token?.text,
                tls: try tls()
            )
            RunOutput.writeError("Rendezvous: \(server.url)\n")
            return server
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.badInput, "\(error)")
        }
    }

    private func tls() throws -> ServerTLSContext? {
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return try ServerTLSContext(certificateFile: certificate, keyFile: key)
        default: throw CommandFailure(.badInput, "--certificate and --key go together")
        }
    }
}
