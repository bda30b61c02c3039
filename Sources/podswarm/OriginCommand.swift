import ArgumentParser
import Foundation
import Origin
import Profile
import Rehearsal
import Transport
import Values

struct OriginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("origin")

    /// Serves without `--profile`.
    private static let plainProfile = """
        name: origin
        duration: 1m
        target: {embedded: {windowSegments: 10, adDuration: 10s}}
        audience: {viewers: 1}
        breaks: {source: {every: 60s}, podDuration: 30s}
        """

    @Option(help: "Address to listen on; a loopback address keeps the origin to this machine.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 takes a free one.")
    var port = 8080

    @Flag(help: "Serve TLS with a certificate made at start.")
    var tls = false

    @Flag(name: .customLong("http2"), help: "Offer HTTP/2: by ALPN with --tls, by prior knowledge without.")
    var http2 = false

    @Option(help: "Where the certificate to trust is written, with --tls.")
    var certificateFile: String?

    @Option(
        help: "Serve what the embedded origin of this profile serves, as in a run of it; a file, or a bundled name.",
        completion: ProfileOptions.completion
    )
    var profile: String?

    @Option(
        "field=value",
        "Override a field of the profile, such as target.embedded.signing=akamai; may be repeated.",
        name: .customLong("set")
    )
    var overrides: [String] = []

    @Option(help: "Seed of stream ids, ads and fault shares; 1 if left out, or the profile's.")
    var seed: String?

    /// For a program that starts the origin: the first line of output is its URL, and it stops when its input closes.
    @Flag(help: .hidden)
    var announceReady = false

    /// Whether the settings are the first line of standard input, as a run passes them.
    @Flag(help: .hidden)
    var settingsFromInput = false

    func run() async throws {
        let (settings, plan) = try served()
        let server = try CommandFailure.telling { try OriginServer(configuration: settings) }
        if announceReady { Self.stopWhenInputCloses(server) }
        if settingsFromInput {
            // Terminals and service managers signal all processes of a run, which still needs its origin.
            for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        } else {
            Interruption.listen { server.stop() }
        }
        do {
            try await server.run { port in
                say(port: port, of: settings, plan)
            }
        } catch {
            let reason = (error as? CannotListen)?.reason ?? "\(error)"
            throw CommandFailure("cannot serve on \(settings.host):\(settings.port): \(reason)", as: .unreachable)
        }
    }

    /// Without a plan unless a profile is named.
    private func served() throws -> (settings: OriginConfiguration, plan: LoadPlan?) {
        if settingsFromInput { return (try Self.settingsOfInput(), nil) }
        let path = profile ?? "origin.yaml"
        let plan = try ProfileOptions.plan(
            of: path,
            yaml: profile == nil ? Self.plainProfile : nil,
            overrides: (seed.map { ["--seed=\($0)"] } ?? []) + overrides
        )
        guard case .embedded(let embedded) = plan.target else {
            throw CommandFailure(
                "\(profile == nil ? "--set target" : path): its target is \(plan.target.name), which is there already; "
                    + "an origin is described by target: embedded"
            )
        }
        var settings = OriginConfiguration(embedded, of: plan, profileFolder: ProfileOptions.folder(of: path))
        settings.host = host
        settings.port = port
        settings.usesTLS = settings.usesTLS || tls
        settings.useHTTP2 = settings.useHTTP2 || http2
        settings.certificateOutput = certificateFile
        guard profile == nil else { return (settings, plan) }
        // In a run, a channel keeps its own breaks where viewers have none.
        if plan.breaks.areNone { settings.breakInterval = .zero }
        return (settings, nil)
    }

    private static func settingsOfInput() throws -> OriginConfiguration {
        guard let line = FileHandle.standardInput.firstLine(),
            let settings = try? JSONDecoder().decode(OriginConfiguration.self, from: line)
        else { throw CommandFailure("no settings of an origin on standard input", as: .ownDefect) }
        return settings
    }

    private func say(port: Int, of settings: OriginConfiguration, _ plan: LoadPlan?) {
        let url = "\(settings.usesTLS ? "https" : "http")://\(settings.host.authority(port: port))"
        let truth = "(ground truth at \(url)\(OriginLayout.truthPath))"
        let served = ["Serving \(url)\(OriginLayout.multivariantPath) \(truth)"] + (plan?.entrances(at: url) ?? [])
        // Unbuffered, because a reader of a file waits for these lines.
        for line in announceReady ? [url] : served { StandardStream.output.write(line + "\n") }
    }

    /// The parent process holds the other end of standard input.
    private static func stopWhenInputCloses(_ server: OriginServer) {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            server.stop()
        }
    }
}
