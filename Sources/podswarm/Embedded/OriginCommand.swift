import ArgumentParser
import Foundation
import Origin
import OriginServing
import Time

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

    /// What an origin is without options; only the port is another, so that people know where it is.
    private static let standard = OriginConfiguration()

    @Option(help: "Address to listen on; a loopback address keeps the origin to this machine.")
    var host = Self.standard.host

    @Option(name: .of(.port), help: "Port to listen on; 0 takes a free one.")
    var port = 8080

    @Flag(help: "Serve TLS with a certificate made at start.")
    var tls = false

    @Flag(name: .customLong("http2"), help: "Offer HTTP/2: by ALPN with --tls, by prior knowledge without.")
    var http2 = false

    @Option(name: .of(.certificateOutput), help: "Where the certificate to trust is written, with --tls.")
    var certificateFile: String?

    @Option(name: .of(.segmentDuration), help: "Seconds of a live segment: 1, 2, 4 or 8.")
    var segmentSeconds = Self.standard.segmentDuration.components.seconds

    @Option(name: .of(.windowSegments), help: "Segments in the live playlist.")
    var windowSegments = Self.standard.windowSegments

    @Option(name: .of(.variantCount), help: "Variants of the channel: 1 or 2.")
    var variants = Self.standard.variantCount

    @Option(name: .of(.breakInterval), help: "Milliseconds from one break's start to the next; 0 has no breaks.")
    var breakIntervalMilliseconds = Self.standard.breakInterval.millisecondsHeld

    @Option(name: .of(.breakOffset), help: "Milliseconds by which breaks are off the multiples of the interval.")
    var breakOffsetMilliseconds = Self.standard.breakOffset.millisecondsHeld

    @Option(name: .of(.breakDuration), help: "Milliseconds a break lasts.")
    var breakMilliseconds = Self.standard.breakDuration.millisecondsHeld

    @Flag(inversion: .prefixedNo, help: "Announce breaks in the live playlists by EXT-X-DATERANGE.")
    var announceBreaks = Self.standard.announceBreaks

    @Option(name: .of(.adDuration), help: "Milliseconds of each ad in a pod.")
    var adMilliseconds = Self.standard.adDuration.millisecondsHeld

    @Option(name: .of(.sessionValidity), help: "Seconds for which a registered session is valid.")
    var sessionSeconds = Self.standard.sessionValidity.components.seconds

    @Option(name: .of(.pollingFrequency), help: "Seconds between two metadata polls that viewers are asked for.")
    var metadataSeconds = Self.standard.pollingFrequency.components.seconds

    @Option(name: .of(.networkCode), help: "Network code of the event.")
    var networkCode = Self.standard.networkCode

    @Option(name: .of(.customAssetKey), help: "Custom asset key of the event.")
    var customAssetKey = Self.standard.customAssetKey

    @Option(
        name: .customLong("auth-token-key-variable"),
        help: "Environment variable with the key that tokens must be signed with."
    )
    var authTokenKeyVariable: String?

    @Option(name: .of(.faultPlanPath), help: "YAML file of answers to break on purpose.")
    var faults: String?

    @Option(
        name: .of(.channelPlanPath),
        help: "YAML file of what the channel does: interstitials, low latency, renditions."
    )
    var channel: String?

    @Option(help: "Seed of stream ids, ads and fault shares.")
    var seed = Self.standard.seed

    @Flag(help: .hidden)
    var announceReady = false

    @Flag(help: .hidden)
    var stopWhenInputCloses = false

    /// A run's origin gets its settings whole, as the first line of standard input.
    @Flag(help: .hidden)
    var settingsFromInput = false

    func run() async throws {
        let settings = try settingsFromInput ? Self.settingsOfInput() : settingsOfOptions()
        let server: OriginServer
        do {
            server = try OriginServer(configuration: settings)
        } catch let error as OriginConfigurationError {
            let mistakes = error.mistakes.map {
                $0.told(of: $0.setting.option.map { "--\($0)" } ?? $0.setting.rawValue)
            }
            throw CommandFailure(.badInput, mistakes.joined(separator: "\n"))
        } catch {
            throw CommandFailure(.badInput, "\(error)")
        }
        if stopWhenInputCloses {
            Self.stopWhenInputCloses(server)
        }
        let interruption = Interruption { server.stop() }
        do {
            try await server.run { port in
                say(port: port, of: settings)
            }
        } catch {
            throw CommandFailure(.unreachable, "cannot serve on \(settings.host):\(settings.port): \(error)")
        }
        withExtendedLifetime(interruption) {}
    }

    /// The settings that a run hands over.
    private static func settingsOfInput() throws -> OriginConfiguration {
        guard let line = FileHandle.standardInput.firstLine(),
            let settings = try? JSONDecoder().decode(OriginConfiguration.self, from: line)
        else { throw CommandFailure(.ownDefect, "no settings of an origin on standard input") }
        return settings
    }

    private func settingsOfOptions() throws -> OriginConfiguration {
        var settings = Self.standard
        settings.host = host
        settings.port = port
        settings.useTLS = tls
        settings.useHTTP2 = http2
        settings.certificateOutput = certificateFile
        settings.variantCount = variants
        settings.segmentDuration = .seconds(segmentSeconds)
        settings.windowSegments = windowSegments
        settings.breakInterval = .milliseconds(breakIntervalMilliseconds)
        settings.breakOffset = .milliseconds(breakOffsetMilliseconds)
        settings.breakDuration = .milliseconds(breakMilliseconds)
        settings.announceBreaks = announceBreaks
        settings.adDuration = .milliseconds(adMilliseconds)
        settings.sessionValidity = .seconds(sessionSeconds)
        settings.pollingFrequency = .seconds(metadataSeconds)
        settings.networkCode = networkCode
        settings.customAssetKey = customAssetKey
        settings.faultPlanPath = faults
        settings.channelPlanPath = channel
        settings.seed = seed
        settings.requireAuthTokenKey = try authTokenKey()
        return settings
    }

    private func authTokenKey() throws -> String? {
        guard let variable = authTokenKeyVariable else { return nil }
        guard let key = ProcessInfo.processInfo.environment[variable], !key.isEmpty else {
            throw CommandFailure(.badInput, "--auth-token-key-variable: \(variable) is not set in the environment")
        }
        return key
    }

    private func say(port: Int, of settings: OriginConfiguration) {
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        let url = "\(settings.useTLS ? "https" : "http")://\(host):\(port)"
        guard announceReady else {
            print("Serving \(url)\(OriginLayout.multivariantPath) (ground truth at \(url)\(OriginLayout.truthPath))")
            return
        }
        let ready = EmbeddedOriginProcess.Ready(url: url, certificate: settings.certificateOutput)
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
    /// The name of the option of `podswarm origin` that gives it; nil where none does.
    fileprivate var option: String? {
        switch self {
        case .port: "port"
        case .variantCount: "variants"
        case .segmentDuration: "segment-seconds"
        case .windowSegments: "window-segments"
        case .breakInterval: "break-interval-milliseconds"
        case .breakOffset: "break-offset-milliseconds"
        case .breakDuration: "break-milliseconds"
        case .networkCode: "network-code"
        case .customAssetKey: "custom-asset-key"
        case .adDuration: "ad-milliseconds"
        case .sessionValidity: "session-seconds"
        case .pollingFrequency: "metadata-seconds"
        case .faultPlanPath: "faults"
        case .channelPlanPath: "channel"
        case .certificateOutput: "certificate-file"
        case .eventLoopThreads, .channel, .announceLead, .deferredVerificationShare: nil
        }
    }
}

extension NameSpecification {
    /// The name of the option that gives a setting.
    fileprivate static func of(_ setting: OriginConfigurationError.Setting) -> NameSpecification {
        setting.option.map { .customLong($0) } ?? .long
    }
}

/// Where the reference origin keeps what a run asks of it.
enum OriginLayout {
    static let multivariantPath = "/live/main/multivariant.m3u8"
    static let healthPath = "/origin/health"
    static let truthPath = "/origin/truth.json"
}
