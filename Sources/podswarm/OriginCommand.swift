import ArgumentParser
import Foundation
import Origin
import Profile
import Rehearsal
import Transport
import Values

struct OriginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "origin",
        abstract: "Serve a live channel with ad breaks: the reference origin.",
        discussion: """
            The channel is locked to the wall clock, the pods are real media, and what was served is counted at \
            /origin/truth.json. A player plays URL/live/main/multivariant.m3u8.

            With --profile it is the origin that a run of that profile starts, for use by any player or tool. It has the \
            profile's breaks, aimed pods, signed addresses, faults and channel plan. It is listened for where the \
            options say; --tls and --http2 add to what the profile says.

              podswarm origin --profile targeted

            Exit status: 0 stopped; 2 bad arguments, or a bad fault or channel plan; 4 the address cannot be listened \
            on; 70 a defect of podswarm; 130 stopped by a second Ctrl-C.
            """
    )

    /// Defaults; only the port differs, because users need a fixed one.
    private static let standard = OriginConfiguration()

    @Option(help: "Address to listen on; a loopback address keeps the origin to this machine.")
    var host = Self.standard.host

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
        name: .customLong("set"),
        help: .value(
            "field=value",
            "Override a field of the profile, such as target.embedded.signing=akamai; may be repeated."
        )
    )
    var overrides: [String] = []

    @OptionGroup(title: "Without a profile") var channel: OriginChannelOptions

    @Option(help: "Seed of stream ids, ads and fault shares; 1 if left out, or the profile's.")
    var seed: String?

    @Flag(help: .hidden)
    var announceReady = false

    @Flag(help: .hidden)
    var stopWhenInputCloses = false

    /// Whether the settings are the first line of standard input, as a run passes them.
    @Flag(help: .hidden)
    var settingsFromInput = false

    func run() async throws {
        let served = try self.served()
        let settings = served.settings
        let server: OriginServer
        do {
            server = try OriginServer(configuration: settings)
        } catch let error as OriginConfigurationError {
            let mistakes = error.mistakes.map { $0.told(of: served.name(of: $0.setting)) }
            throw CommandFailure(.badInput, mistakes.joined(separator: "\n"))
        } catch {
            throw CommandFailure(.badInput, "\(error)")
        }
        if stopWhenInputCloses {
            Self.stopWhenInputCloses(server)
        }
        let interruption = settingsFromInput ? nil : Interruption { server.stop() }
        if settingsFromInput {
            // Terminals and service managers signal all processes of a run, which still needs its origin.
            for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        }
        do {
            try await server.run { port in
                say(port: port, of: served)
            }
        } catch {
            let reason = (error as? CannotListen)?.reason ?? "\(error)"
            throw CommandFailure(.unreachable, "cannot serve on \(settings.host):\(settings.port): \(reason)")
        }
        withExtendedLifetime(interruption) {}
    }

    private struct Served {
        var settings: OriginConfiguration
        /// Nil without a profile, and for the origin of a run.
        var plan: LoadPlan?
        var isOfProfile: Bool

        func name(of setting: OriginConfigurationError.Setting) -> String {
            (isOfProfile ? setting.field : nil) ?? "--\(setting.option)"
        }
    }

    private func served() throws -> Served {
        if settingsFromInput { return Served(settings: try Self.settingsOfInput(), plan: nil, isOfProfile: true) }
        guard let profile else {
            guard overrides.isEmpty else {
                throw CommandFailure(.badInput, "--set overrides a field of a profile: give --profile too")
            }
            return Served(settings: try settingsOfOptions(), plan: nil, isOfProfile: false)
        }
        try channel.refuseBesideProfile()
        let plan = try ProfileOptions.plan(of: profile, overrides: (seed.map { ["seed=\($0)"] } ?? []) + overrides)
        guard case .embedded(let embedded) = plan.target else {
            throw CommandFailure(
                .badInput,
                "\(profile): its target is \(plan.target.name), which is there already; "
                    + "an origin is described by target: embedded"
            )
        }
        var settings = OriginConfiguration(embedded, of: plan, profileFolder: ProfileOptions.folder(of: profile))
        settings.host = host
        settings.port = port
        settings.usesTLS = settings.usesTLS || tls
        settings.useHTTP2 = settings.useHTTP2 || http2
        settings.certificateOutput = certificateFile
        return Served(settings: settings, plan: plan, isOfProfile: true)
    }

    private static func settingsOfInput() throws -> OriginConfiguration {
        guard let line = FileHandle.standardInput.firstLine(),
            let settings = try? JSONDecoder().decode(OriginConfiguration.self, from: line)
        else { throw CommandFailure(.ownDefect, "no settings of an origin on standard input") }
        return settings
    }

    private func settingsOfOptions() throws -> OriginConfiguration {
        var settings = try channel.settings()
        settings.host = host
        settings.port = port
        settings.usesTLS = tls
        settings.useHTTP2 = http2
        settings.certificateOutput = certificateFile
        if let seed {
            guard let number = UInt64(seed) else {
                throw CommandFailure(.badInput, "--seed \(seed): a seed is a whole number that is not negative")
            }
            settings.seed = number
        }
        return settings
    }

    private func say(port: Int, of served: Served) {
        let settings = served.settings
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        let url = "\(settings.usesTLS ? "https" : "http")://\(host):\(port)"
        guard announceReady else {
            let truth = "(ground truth at \(url)\(OriginLayout.truthPath))"
            let lines = ["Serving \(url)\(OriginLayout.multivariantPath) \(truth)"]
            // Unbuffered, because a reader of a file waits for these lines.
            for line in lines + (served.plan?.entrances(at: url) ?? []) {
                StandardStream.output.write(line + "\n")
            }
            return
        }
        let ready = EmbeddedOriginProcess.Ready(url: url, certificate: settings.certificateOutput)
        if let line = try? JSONEncoder().encode(ready) {
            StandardStream.output.write(line + Data("\n".utf8))
        }
    }

    /// The parent process holds the other end of standard input.
    private static func stopWhenInputCloses(_ server: OriginServer) {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            server.stop()
        }
    }
}

struct OriginChannelOptions: ParsableArguments {
    private static let standard = OriginConfiguration()

    @Option("Seconds of a live segment: 1 to 10", usual: seconds(\.segmentDuration))
    var segmentSeconds: Int64?

    @Option("Segments in the live playlist", usual: standard.windowSegments)
    var windowSegments: Int?

    @Option("Variants of the channel: 1 or 2", usual: standard.variantCount)
    var variants: Int?

    @Option(
        "Milliseconds from one break's start to the next; 0 has no breaks",
        usual: milliseconds(\.breakInterval)
    )
    var breakIntervalMilliseconds: Int64?

    @Option(
        "Milliseconds by which breaks are off the multiples of the interval",
        usual: milliseconds(\.breakOffset)
    )
    var breakOffsetMilliseconds: Int64?

    @Option("Milliseconds a break lasts", usual: milliseconds(\.breakDuration))
    var breakMilliseconds: Int64?

    @Flag(
        inversion: .prefixedNo,
        help: "Announce breaks in the live playlists by EXT-X-DATERANGE; they are if left out."
    )
    var announceBreaks: Bool?

    @Option("Milliseconds of each ad in a pod", usual: milliseconds(\.adDuration))
    var adMilliseconds: Int64?

    @Option("Seconds for which a registered session is valid", usual: seconds(\.sessionValidity))
    var sessionSeconds: Int64?

    @Option(
        "Seconds between two metadata polls that viewers are asked for",
        usual: seconds(\.metadataPollingFrequency)
    )
    var metadataSeconds: Int64?

    @Option("Network code of the event", usual: standard.session.networkCode)
    var networkCode: String?

    @Option("Custom asset key of the event", usual: standard.session.customAssetKey)
    var customAssetKey: String?

    @Option(help: "Environment variable with the key that tokens must be signed with.")
    var authTokenKeyVariable: String?

    @Option(help: "YAML file of answers to break on purpose.")
    var faults: String?

    @Option(help: "YAML file of what the channel does: interstitials, low latency, renditions.")
    var channel: String?

    private typealias Given = (setting: OriginConfigurationError.Setting, apply: (inout OriginConfiguration) -> Void)

    /// Without the key of tokens.
    private var given: [Given] {
        func given<Value>(
            _ setting: OriginConfigurationError.Setting,
            _ value: Value?,
            _ path: WritableKeyPath<OriginConfiguration, Value>
        ) -> Given? {
            value.map { value in (setting, { $0[keyPath: path] = value }) }
        }
        return [
            given(.segmentDuration, segmentSeconds.map { .seconds($0) }, \.segmentDuration),
            given(.windowSegments, windowSegments, \.windowSegments),
            given(.variantCount, variants, \.variantCount),
            given(.breakInterval, breakIntervalMilliseconds.map { .milliseconds($0) }, \.breakInterval),
            given(.breakOffset, breakOffsetMilliseconds.map { .milliseconds($0) }, \.breakOffset),
            given(.breakDuration, breakMilliseconds.map { .milliseconds($0) }, \.breakDuration),
            given(.adDuration, adMilliseconds.map { .milliseconds($0) }, \.adDuration),
            given(.sessionValidity, sessionSeconds.map { .seconds($0) }, \.sessionValidity),
            given(.pollingFrequency, metadataSeconds.map { .seconds($0) }, \.metadataPollingFrequency),
            given(.networkCode, networkCode, \.session.networkCode),
            given(.customAssetKey, customAssetKey, \.session.customAssetKey),
            given(.faultPlanPath, faults.map(Optional.some), \.faultPlanPath),
            given(.channelPlanPath, channel.map(Optional.some), \.channelPlanPath),
            given(.announceBreaks, announceBreaks, \.announcesBreaks),
        ].compactMap(\.self)
    }

    /// The error names the profile's field to override instead.
    func refuseBesideProfile() throws {
        let refused = given.map(\.setting) + (authTokenKeyVariable == nil ? [] : [.authTokenKey])
        guard refused.isEmpty else {
            let mistakes = refused.map { "--\($0.option): the profile decides it; --set \($0.field ?? $0.option)=…" }
            throw CommandFailure(.badInput, mistakes.joined(separator: "\n"))
        }
    }

    /// A missing key of tokens is an error.
    func settings() throws -> OriginConfiguration {
        var settings = Self.standard
        for option in given { option.apply(&settings) }
        settings.session.authTokenKey = try authTokenKey()
        return settings
    }

    private func authTokenKey() throws -> String? {
        guard let variable = authTokenKeyVariable else { return nil }
        guard let key = ProcessInfo.processInfo.environment[variable], !key.isEmpty else {
            throw CommandFailure(.badInput, "--auth-token-key-variable: \(variable) is not set in the environment")
        }
        return key
    }

    private static func seconds(_ setting: KeyPath<OriginConfiguration, Duration>) -> Int64 {
        standard[keyPath: setting].components.seconds
    }

    private static func milliseconds(_ setting: KeyPath<OriginConfiguration, Duration>) -> Int64 {
        Int64(standard[keyPath: setting].millisecondsHeld)
    }
}

extension Option {
    fileprivate init<Given: ExpressibleByArgument>(_ help: String, usual: some CustomStringConvertible)
    where Value == Given? {
        self.init(help: ArgumentHelp("\(help); \(usual) if left out."))
    }
}
