import AdServing
import ArgumentParser
import Foundation
import Profile
import Rehearsal
import Tools
import Values

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("init")

    private static let usualFile = "my-channel.yaml"
    private static let usualAdServer = "https://dai.google.com"

    @Argument(help: "The URL of a multivariant or media playlist; asked for on a terminal where it is left out.")
    var url: String?

    @Option("file", "Where the profile goes. (default: \(Self.usualFile))")
    var output: String?

    @Flag(help: "Write over a file that is there.")
    var force = false

    @Flag(help: "Ask nothing, on a terminal either.")
    var yes = false

    @Option(
        "duration",
        "Follow the stream for so long at most, such as 30s or 10m, to see its breaks. (default: three target durations, at most a minute)"
    )
    var watch: String?

    @Option("host", "A host that you answer for, too: it is asked, and the profile authorises it; may be repeated.")
    var allowHost: [String] = []

    @Option(
        "name: value",
        "A header to send, such as 'Authorization: Bearer ${TOKEN}', with the environment's TOKEN in its place; may be "
            + "repeated. Sent to the server of the URL only, but for those that say who a player is, such as User-Agent."
    )
    var header: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Write the path of the URL as it is: what looks like a secret in it, such as a UUID, is a public " + "name."
        )
    )
    var keepPath = false

    @Option("url", "Ad server with the pods. (default with --network-code: https://dai.google.com)")
    var adServer: String?

    @Option(help: "Network code of the event there.")
    var networkCode: String?

    @Option(help: "Custom asset key of the event there.")
    var assetKey: String?

    @Option("file", "PEM file of certificate authorities to trust.")
    var caFile: String?

    @Flag(help: "Do not verify TLS certificates.")
    var insecure = false

    @Option("duration", "Longest wait for an answer. (default: 10s)")
    var timeout: String?

    func validate() throws {
        guard (networkCode == nil) == (assetKey == nil), adServer == nil || networkCode != nil else {
            throw ValidationError(
                "--ad-server, --network-code and --asset-key go together; only the first may be left out"
            )
        }
        guard !insecure || caFile == nil else {
            throw ValidationError("--insecure verifies nothing, so that --ca-file has no effect; leave one of them out")
        }
    }

    func run() async throws {
        let headers = try await CommandFailure.ofStream { () throws(StreamFailure) in try StreamHeader.all(of: header) }
        let text = try url ?? asked()
        let address = try await CommandFailure.ofStream { () throws(StreamFailure) in try StreamAddress(text) }
        try refuseToTellAdServer(headers, of: address)
        // Secrets may appear in answers of a server too.
        let secrets = ReferencedSecrets(in: address, headers: headers, keepsPath: keepPath)
        KnownSecrets.ofThisProcess = KnownSecrets(
            KnownSecrets.inAddress(address.url) + secrets.values + headers.flatMap(\.secrets)
        )
        var access = StreamAccess()
        (access.hosts, access.headers) = (allowHost, headers.map { ($0.name, $0.value) })
        (access.caFile, access.verifiesTLS) = (caFile, !insecure)
        let watch = try watch.map { try Duration($0, of: "--watch") }
        if let timeout { access.timeout = try Duration(timeout, of: "--timeout") }
        let file = output ?? Self.usualFile
        // Before the stream is followed for a minute.
        try OutputPlace.checkFolder(of: file, for: "--output \(file)")
        guard force || PathKind(of: file) != .file else {
            throw CommandFailure("\(file) is there already; --force writes over it, --output names another")
        }
        let facts = try await CommandFailure.ofStream { () async throws(StreamFailure) in
            try await SurveyRun(address, access, watch: watch).facts { RunOutput.tell($0) }
        }
        let draft = try self.draft(facts, headers, access, for: file)
        try write(draft.text, to: file)
        tell(facts, draft, file)
    }

    /// A run sends headers to every address of its profile, also to the ad server.
    private func refuseToTellAdServer(_ headers: [StreamHeader], of address: StreamAddress) throws {
        guard networkCode != nil, WebOrigin(of: adServer ?? Self.usualAdServer) != address.origin,
            let header = headers.first(where: { !$0.secrets.isEmpty })
        else { return }
        throw CommandFailure(
            "--header \(header.name) and --network-code do not go together: a run sends headers to every address that its "
                + "profile names, and so to the ad server; leave one of them out, and add it to the profile yourself where "
                + "the ad server may have the header"
        )
    }

    private func asked() throws -> String {
        guard !yes, isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure("the URL of the stream is missing: podswarm init https://…/multivariant.m3u8")
        }
        RunOutput.writeError("URL of the stream's playlist, as a player is given it: ")
        guard let line = readLine() else { throw CommandFailure("no URL was given") }
        return line
    }

    private func draft(
        _ facts: StreamFacts,
        _ headers: [StreamHeader],
        _ access: StreamAccess,
        for file: String
    ) throws -> ProfileDraft {
        let event = networkCode.flatMap { network in
            assetKey.map {
                DraftOptions.AdServer(url: adServer ?? Self.usualAdServer, networkCode: network, customAssetKey: $0)
            }
        }
        var options = DraftOptions(file: file)
        (options.adServer, options.headers, options.keepsPath) = (event, headers, keepPath)
        options.access = access
        options.access.caFile = caFile.map { URL(fileURLWithPath: $0).path }
        do throws(ProfileDraft.Refusal) {
            return try ProfileDraft(facts, options)
        } catch {
            guard !error.isOfOptions else {
                let mistakes = error.errors.problems.map { "\($0.field): \($0.message)" }
                throw CommandFailure(mistakes.joined(separator: "\n"))
            }
            throw CommandFailure(
                "the profile of this stream would not validate, so none is written:\n\(error.errors)",
                as: .ownDefect
            )
        }
    }

    /// A file that `--force` overwrites stays whole until the new one is complete.
    private func write(_ text: String, to file: String) throws {
        var facts = stat()
        if force, stat(file, &facts) == 0 {
            // A link to a file stays.
            let isFile = facts.st_mode & S_IFMT == S_IFREG
            let place = isFile ? URL(fileURLWithPath: file).resolvingSymlinksInPath().path : file
            return try OutputPlace.write(Data(text.utf8), to: place)
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch {
            throw CommandFailure("\(file) cannot be written: \(error.fileCause)")
        }
    }

    private func tell(_ facts: StreamFacts, _ draft: ProfileDraft, _ file: String) {
        say("")
        for line in facts.words { say(line) }
        say("")
        say("Written to \(file): ten viewers. Look for FILL IN in it.")
        if draft.text.contains("podswarm origin --port") {
            say("Above breaks it says how to rehearse breaks with pods of podswarm's own origin.")
        }
        tellHeldOut(draft.secrets)
        say("Next:")
        say("")
        for secret in draft.secrets {
            say("  export \(secret.variable)='…'   # \(secret.place), which the profile does not hold")
        }
        let name = Self.argument(file)
        say("  podswarm profile validate \(name)")
        say("  podswarm check \(name)\(draft.asksForAds ? "" : " --patience 20s")")
        say("  podswarm run \(name)")
    }

    private func tellHeldOut(_ secrets: [ReferencedSecrets.Secret]) {
        guard !secrets.isEmpty else { return }
        say("Possible secrets are not in it: \(secrets.map(\.place).joined(separator: "; ")).")
        guard secrets.contains(where: { $0.part == .path }) else { return }
        say(
            "A piece of the path, such as a UUID, can be the name of a channel or a viewer's session: if it is public, "
                + "podswarm init --keep-path --force writes the path as it is."
        )
    }

    private static func argument(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_./".unicodeScalars.contains($0)
        }
        let word = isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
        return text.hasPrefix("-") ? "./" + word : word
    }

    private func say(_ text: String) { RunOutput.tell(text, on: .output) }
}
