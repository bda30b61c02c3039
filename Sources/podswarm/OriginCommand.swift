import ArgumentParser
import Foundation
import LoadProfile
import Origin
import Swarm

/// `podswarm origin`: the reference ad-break origin on its own.
struct OriginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "origin",
        abstract: "Serve a live channel with ad breaks: the reference origin.",
        discussion: """
            The channel is locked to the wall clock, the pods are real media, and what was served is counted at \
            /origin/truth.json. A player plays URL/live/main/multivariant.m3u8.

            Exit status: 0 stopped; 2 bad arguments, or a bad fault or channel plan; 4 the address cannot be listened \
            on; 70 a defect of podswarm; 130 stopped by a second Ctrl-C.
            """
    )

    @Option(help: "Address to listen on; a loopback address keeps the origin to this machine.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 takes a free one.")
    var port = 8080

    @Flag(help: "Serve TLS with a certificate made at start.")
    var tls = false

    @Flag(name: .customLong("http2"), help: "Offer HTTP/2: by ALPN with --tls, by prior knowledge without.")
    var http2 = false

    @Option(name: .customLong("certificate-file"), help: "Where the certificate to trust is written, with --tls.")
    var certificateFile: String?

    @Option(help: "Seconds of a live segment: 1, 2, 4 or 8.")
    var segmentSeconds = 2

    @Option(help: "Segments in the live playlist.")
    var windowSegments = 10

    @Option(help: "Variants of the channel: 1 or 2.")
    var variants = 2

    @Option(help: "Milliseconds from one break's start to the next; 0 has no breaks.")
    var breakIntervalMilliseconds = 60_000

    @Option(help: "Milliseconds by which breaks are off the multiples of the interval.")
    var breakOffsetMilliseconds = 0

    @Option(help: "Milliseconds a break lasts.")
    var breakMilliseconds = 30_000

    @Flag(inversion: .prefixedNo, help: "Announce breaks in the live playlists by EXT-X-DATERANGE.")
    var announceBreaks = true

    @Option(help: "Milliseconds of each ad in a pod.")
    var adMilliseconds = 10_000

    @Option(help: "Seconds for which a registered session is valid.")
    var sessionSeconds = 28_800

    @Option(help: "Seconds between two metadata polls that viewers are asked for.")
    var metadataSeconds = 10

    @Option(help: "Network code of the event.")
    var networkCode = "21775744923"

    @Option(help: "Custom asset key of the event.")
    var customAssetKey = "sgai-hls-live"

    @Option(
        name: .customLong("auth-token-key-variable"),
        help: "Environment variable with the key that tokens must be signed with."
    )
    var authTokenKeyVariable: String?

    @Option(help: "YAML file of answers to break on purpose.")
    var faults: String?

    @Option(help: "YAML file of what the channel does: interstitials, low latency, renditions.")
    var channel: String?

    @Option(help: "Seed of stream ids, ads and fault shares.")
    var seed: UInt64 = 1

    @Flag(help: .hidden)
    var announceReady = false

    @Flag(help: .hidden)
    var stopWhenInputCloses = false

    func run() async throws {
        let server: OriginServer
        do {
            server = try OriginServer(configuration: self.originConfiguration())
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as OriginConfigurationError {
            let mistakes = error.mistakes.map { $0.told(of: $0.setting.option ?? $0.setting.rawValue) }
            throw CommandFailure(.badInput, mistakes.joined(separator: "\n"))
        } catch {
            throw CommandFailure(.badInput, "\(error)")
        }
        if self.stopWhenInputCloses {
            Self.stopWhenInputCloses(server)
        }
        let interruption = Interruption { server.stop() }
        do {
            try await server.run { port in
                self.say(port: port)
            }
        } catch {
            throw CommandFailure(.unreachable, "cannot serve on \(self.host):\(self.port): \(error)")
        }
        withExtendedLifetime(interruption) {}
    }

    private func originConfiguration() throws -> OriginConfiguration {
        var configuration = OriginConfiguration()
        configuration.host = self.host
        configuration.port = self.port
        configuration.useTLS = self.tls
        configuration.useHTTP2 = self.http2
        configuration.certificateOutput = self.certificateFile
        configuration.variantCount = self.variants
        configuration.segmentDuration = .seconds(self.segmentSeconds)
        configuration.windowSegments = self.windowSegments
        configuration.breakInterval = .milliseconds(self.breakIntervalMilliseconds)
        configuration.breakOffset = .milliseconds(self.breakOffsetMilliseconds)
        configuration.breakDuration = .milliseconds(self.breakMilliseconds)
        configuration.announceBreaks = self.announceBreaks
        configuration.adDuration = .milliseconds(self.adMilliseconds)
        configuration.sessionValidity = .seconds(self.sessionSeconds)
        configuration.pollingFrequency = .seconds(self.metadataSeconds)
        configuration.networkCode = self.networkCode
        configuration.customAssetKey = self.customAssetKey
        configuration.faultPlanPath = self.faults
        configuration.channelPlanPath = self.channel
        configuration.seed = self.seed
        if let variable = self.authTokenKeyVariable {
            guard let key = ProcessInfo.processInfo.environment[variable], !key.isEmpty else {
                throw CommandFailure(.badInput, "--auth-token-key-variable: \(variable) is not set in the environment")
            }
            configuration.requireAuthTokenKey = key
        }
        return configuration
    }

    private func say(port: Int) {
        let host = self.host.contains(":") ? "[\(self.host)]" : self.host
        let url = "\(self.tls ? "https" : "http")://\(host):\(port)"
        guard self.announceReady else {
            print("Serving \(url)\(OriginLayout.multivariantPath) (ground truth at \(url)\(OriginLayout.truthPath))")
            return
        }
        let ready = EmbeddedOriginProcess.Ready(url: url, certificate: self.certificateFile)
        if let line = try? JSONEncoder().encode(ready) {
            StandardStream.output.write(line + Data("\n".utf8))
        }
    }

    /// The parent holds the other end of standard input: when it is gone, so is the reason to serve.
    private static func stopWhenInputCloses(_ server: OriginServer) {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            server.stop()
        }
    }
}

extension OriginConfigurationError.Setting {
    /// The option of `podswarm origin` that gives it; nil where none does.
    fileprivate var option: String? {
        switch self {
        case .port: "--port"
        case .variantCount: "--variants"
        case .segmentDuration: "--segment-seconds"
        case .windowSegments: "--window-segments"
        case .breakInterval: "--break-interval-milliseconds"
        case .breakOffset: "--break-offset-milliseconds"
        case .breakDuration: "--break-milliseconds"
        case .networkCode: "--network-code"
        case .customAssetKey: "--custom-asset-key"
        case .adDuration: "--ad-milliseconds"
        case .sessionValidity: "--session-seconds"
        case .pollingFrequency: "--metadata-seconds"
        case .faultPlanPath: "--faults"
        case .channelPlanPath: "--channel"
        case .certificateOutput: "--certificate-file"
        case .eventLoopThreads, .channel, .announceLead, .deferredVerificationShare: nil
        }
    }
}

/// Where the reference origin keeps what a run asks of it.
enum OriginLayout {
    static let multivariantPath = "/live/main/multivariant.m3u8"
    static let healthPath = "/origin/health"
    static let truthPath = "/origin/truth.json"
}

/// Spells a plan's embedded origin as arguments of `podswarm origin`.
enum OriginArguments {
    /// Environment variable through which the child learns the key that tokens must be signed with.
    static let tokenKeyVariable = "PODSWARM_ORIGIN_TOKEN_KEY"

    static func of(_ origin: EmbeddedOriginPlan, plan: LoadPlan, profileFolder: URL) -> [String] {
        var arguments = [
            "--port", "0",
            "--segment-seconds", String(origin.segmentDuration.components.seconds),
            "--window-segments", String(origin.windowSegments),
            "--variants", String(origin.variantCount),
            "--ad-milliseconds", Self.milliseconds(origin.adDuration),
            "--session-seconds", String(origin.sessionValidity.components.seconds),
            "--metadata-seconds", String(max(origin.metadataPollingFrequency.components.seconds, 1)),
            "--network-code", origin.session.networkCode,
            "--custom-asset-key", origin.session.customAssetKey,
            "--break-milliseconds", Self.milliseconds(plan.breaks.podDuration),
            "--seed", String(plan.seed),
            origin.announcesBreaks ? "--announce-breaks" : "--no-announce-breaks",
        ]
        arguments += self.schedule(plan.breaks)
        if plan.connection.version == .http2 {
            arguments.append("--http2")
        }
        if origin.session.authTokenKey != nil {
            arguments += ["--auth-token-key-variable", Self.tokenKeyVariable]
        }
        if origin.usesTLS {
            let file = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(getpid()).pem")
            arguments += ["--tls", "--certificate-file", file.path]
        }
        if let faults = origin.faultPlanPath {
            arguments += ["--faults", URL(fileURLWithPath: faults, relativeTo: profileFolder).path]
        }
        if let channel = origin.channelPlanPath {
            arguments += ["--channel", URL(fileURLWithPath: channel, relativeTo: profileFolder).path]
        }
        return arguments
    }

    /// The channel announces and counts by the same breaks that viewers are told of, where those follow a rule.
    private static func schedule(_ breaks: BreakPlan) -> [String] {
        switch breaks.source {
        case .every(let interval, let offset):
            [
                "--break-interval-milliseconds", Self.milliseconds(interval),
                "--break-offset-milliseconds", Self.milliseconds(offset),
            ]
        case .guideMinute:
            ["--break-interval-milliseconds", "60000"]
        case .dateRange, .none:
            []
        case .list:
            ["--break-interval-milliseconds", "0"]
        }
    }

    private static func milliseconds(_ duration: Duration) -> String {
        String(duration.nanosecondsHeld / 1_000_000)
    }
}
