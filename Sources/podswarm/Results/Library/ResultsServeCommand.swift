import ArgumentParser
import Foundation
import Rehearsal

struct ResultsServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a page of all runs, with the page of each run and comparisons of two.",
        discussion: """
            It only reads. Results that come later are seen when the page is loaded again; the page of a run that has \
            none beside its result is made when it is asked for. Ctrl-C ends it.

            Unless told otherwise it can be reached from this machine alone. There is no password.
            """
    )

    @OptionGroup var library: LibraryOptions

    @Option(help: .value("host:port", "Where to serve; port 0 takes a free one."))
    var listen = "127.0.0.1:8098"

    func run() async throws {
        let address = try LiveAddress(listen, of: "--listen")
        address.warnIfOpen()
        let documents = LibraryDocuments(
            folder: library.folder,
            label: library.by,
            shelf: try library.shelf()
        )
        Task { await documents.prepare() }
        let server = try await server(documents, at: address)
        let (stops, stop) = AsyncStream<Void>.makeStream()
        let interruption = Interruption { stop.finish() }
        RunOutput.writeError("Results: \(server.url)\n")
        for await _ in stops {}
        await server.stop()
        withExtendedLifetime(interruption) {}
    }

    private func server(_ documents: LibraryDocuments, at address: LiveAddress) async throws -> LibraryServer {
        do {
            return try await LibraryServer(documents, at: address)
        } catch {
            throw CommandFailure(.badInput, "--listen: \(error)")
        }
    }
}
