import AdServing
import ArgumentParser
import Foundation
import Profile
import Rehearsal
import Report
import Rules
import Tools
import Values

struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("lint")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    @Argument(help: "The URL of a playlist, a file, or - for standard input.")
    var source: String

    @Option(
        "duration",
        "Follow a live playlist for so long, such as 60s or 10m, and ask as players do. A server may take one and a half "
            + "target durations for an update; half a one more is forgiven for a cache."
    )
    var follow: String?

    @Option(help: "What to print: text, or json as of `podswarm result schema --lint`.")
    var format = Format.text

    @Option(help: "The least severity that fails: broken, wrong, suspect or advice.")
    var severity = Severity.wrong

    @Option("code", "A code that does not fail; may be repeated.")
    var allow: [String] = []

    @Option(
        "name: value",
        "A request header, such as \"Authorization: Bearer …\"; may be repeated. Sent to the server of the URL only, but for "
            + "those that say who a player is, such as User-Agent."
    )
    var header: [String] = []

    @Option("host", "Another host that playlists may be read from, beside that of the URL; may be repeated.")
    var host: [String] = []

    @Option("file", "PEM file of certificate authorities to trust.")
    var caFile: String?

    @Option("duration", "Longest wait for an answer. (default: 10s)")
    var timeout: String?

    func run() async throws {
        let options = try self.options()
        let document = try await self.document(options)
        switch format {
        case .json: try OutputPlace.write(json: document.json(), to: OutputPlace.standardOutput)
        case .text: StandardStream.output.write(document.text(StandardStream.output.rendering))
        }
        throw ExitCode(Int32(clamping: document.exitCode))
    }

    private func document(_ options: LintOptions) async throws -> LintDocument {
        try await CommandFailure.ofStream { () async throws(StreamFailure) in
            let run = try await LintRun(options)
            // Nothing is followed in a file, and a read of standard input ends with the process only.
            if !options.isLocal { Interruption.listen { run.interrupt() } }
            return try await run.document()
        }
    }

    private func options() throws -> LintOptions {
        for code in allow where FindingCode(name: code) == nil {
            throw CommandFailure("--allow \(code): there is no such finding; \(FindingNames.hint(for: code))")
        }
        if let scheme = LintOptions.foreignScheme(of: source) {
            throw CommandFailure("\(scheme)://…: lint reads URLs of http and https, files, and - for its input")
        }
        let follow = try self.follow.map { try Duration($0, of: "--follow") }
        var options = LintOptions(source)
        if options.isLocal { try refuseWhatNeedsURL() }
        let headers = try header.map(Self.field)
        let credentials = headers.filter { Redaction.hidesValues(of: $0.name) }.map(\.value)
        KnownSecrets.ofThisProcess = KnownSecrets(credentials + KnownSecrets.inAddress(source))
        (options.follow, options.failsFrom, options.allowed) = (follow, severity, Set(allow))
        (options.access.headers, options.access.hosts, options.access.caFile) = (headers, host, caFile)
        if let timeout { options.access.timeout = try Duration(timeout, of: "--timeout") }
        return options
    }

    /// Options without effect would mislead the user.
    private func refuseWhatNeedsURL() throws {
        if follow != nil { throw CommandFailure("--follow needs the URL of a live playlist") }
        let given = [
            ("--header", !header.isEmpty), ("--host", !host.isEmpty), ("--ca-file", caFile != nil),
            ("--timeout", timeout != nil),
        ]
        if let (option, _) = given.first(where: { $0.1 }) {
            throw CommandFailure("\(option) needs the URL of a playlist")
        }
    }

    private static func field(_ text: String) throws -> (name: String, value: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingCharacters(in: .whitespaces)
        guard parts.count == 2, !name.isEmpty, !name.contains(where: \.isWhitespace) else {
            throw CommandFailure("--header: a header is \"name: value\"")
        }
        return (name, parts[1].trimmingCharacters(in: .whitespaces))
    }
}

extension CommandFailure {
    static func ofStream<Value>(_ read: () async throws(StreamFailure) -> Value) async throws(CommandFailure) -> Value {
        do {
            return try await read()
        } catch {
            throw CommandFailure(error.message, as: error.reason == .unreachable ? .unreachable : .badInput)
        }
    }
}

extension Severity: ExpressibleByArgument {}
