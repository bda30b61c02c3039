import ArgumentParser
import Foundation
import Rehearsal
import Results
import Swarm
import Transport
import Values

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("merge")

    @Argument(help: "Journals of shards, or folders of results.")
    var journals: [String] = []

    @OptionGroup(title: "In place of journals") var meeting: RendezvousOptions

    @Option(help: "Folder that the result is written to; that of the first journal or folder if left out.")
    var results: String?

    @Option(help: "Which run, where there are shards of several.")
    var runID: String?

    @Option("n", "How many shards there were; as many as they say if left out.")
    var expect: Int?

    @OptionGroup var options: MergeOptions

    func run() async throws {
        let merge = try options.merge()
        let (document, runID) =
            if meeting.rendezvous != nil {
                try await documentOfRendezvous(merge)
            } else {
                try merge.document(of: sources(telling: merge.output), runID: runID, expected: expect)
            }
        let exit = try merge.write(document, runID: runID, to: folder(of: document)).exit
        merge.output.verdict(document)
        if exit != .passed { throw exit.code }
    }

    private func sources(telling output: RunOutput) throws(CommandFailure) -> [ShardJournals.Source] {
        var sources: [ShardJournals.Source] = []
        var problems = journals.isEmpty ? ["name journals or a folder of results, or a --rendezvous"] : []
        for path in journals {
            if let found = JournalFolder.found(at: path) {
                sources += found.runs.map { ShardJournals.Source(files: $0.files, isNamed: !found.isFolder) }
                for note in found.notes { output.note(note) }
            } else {
                problems.append("\(path): there is no such file or folder")
            }
        }
        guard problems.isEmpty else { throw CommandFailure(problems.map { "merge: \($0)" }.joined(separator: "\n")) }
        return sources
    }

    private func documentOfRendezvous(_ merge: ShardMerge) async throws -> (document: ResultDocument, runID: String) {
        guard journals.isEmpty, let runID else {
            let fix = journals.isEmpty ? "name the run with --run-id" : "name journals or a rendezvous, not both"
            throw CommandFailure("merge: --rendezvous: \(fix)")
        }
        let rendezvous = try await meeting.address(runID: runID, for: "merge", isThere: true).open(onlyLooksOn: true)
        let followed = try await rendezvous.closed { place in
            try await ShardWatch(runID, at: place, output: merge.output).look()
        }
        return try merge.document(of: followed.sources, runID: runID, expected: expect ?? followed.count)
    }

    private func folder(of document: ResultDocument) -> URL {
        if let results { return URL(fileURLWithPath: results) }
        guard let name = journals.first else { return URL(fileURLWithPath: "results") }
        let first = URL(fileURLWithPath: name)
        let beside = PathKind(of: first.path) == .folder ? first : first.deletingLastPathComponent()
        return ResultStore.folder(of: document, beside: beside)
    }
}

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("watch")

    @OptionGroup var meeting: RendezvousOptions

    @Option(help: "The run, as its shards are told.")
    var runID: String

    @Option("duration", "How long to wait for the shards to begin.")
    var beginWithin = "10m"

    @Option("duration", "How long a shard may say nothing before it is taken for lost; at least 15s.")
    var silence = ShardOptions.standardSilence

    @Option(help: "Folder that the result is written to.")
    var results = "results"

    @OptionGroup var live: LiveOptions

    @OptionGroup var options: MergeOptions

    func run() async throws {
        let merge = try options.merge()
        let waits = (
            try Duration(beginWithin, of: "--begin-within", in: .seconds(1) ... .seconds(86_400)),
            try Duration(silence, of: "--silence", in: ShardOptions.silences)
        )
        let rendezvous = try await meeting.address(runID: runID, for: "watch").open(onlyLooksOn: true)
        let requests = RunRequests()
        Interruption.listen(for: requests)
        let exit = try await rendezvous.closed { place in
            var watch = ShardWatch(runID, at: place, output: merge.output)
            (watch.beginsWithin, watch.silence) = waits
            (watch.live, watch.requests) = (try await live.open(merge.output), requests)
            return try await watch.merged(by: merge, into: URL(fileURLWithPath: results))
        }
        if exit != .passed { throw exit.code }
    }
}

struct RendezvousCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("rendezvous")

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
        Interruption.listen { stop.finish() }
        for await _ in stops {}
        await server.stop()
    }

    private func serve() async throws -> HTTPListener {
        try await CommandFailure.awaiting {
            let address = try ListeningAddress(parsing: listen)
            let token = try RendezvousToken.ofThisProcess(file: tokenFile)
            guard token != nil || address.isLoopback else {
                throw CommandFailure(
                    "--listen \(listen): others can come there, so that it needs a token: make one with "
                        + "\(RendezvousToken.recipe) and give it with --token-file"
                )
            }
            let tls = try tls()
            let server = try await RendezvousServer.listen(at: address, folder: folder, token: token?.text, tls: tls)
            // For shards on this machine; other machines use a host name.
            RunOutput.writeError("Rendezvous: \(tls == nil ? "http" : "https")://\(server.authority)\n")
            return server
        }
    }

    private func tls() throws -> ServerTLSContext? {
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return try ServerTLSContext(certificateFile: certificate, keyFile: key)
        default: throw CommandFailure("--certificate and --key go together")
        }
    }
}
