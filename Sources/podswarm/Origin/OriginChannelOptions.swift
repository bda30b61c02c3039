import ArgumentParser
import Foundation
import Origin
import Profile
import Rehearsal
import Values

/// Options of `podswarm origin` without a profile; nil if left out.
struct OriginChannelOptions: ParsableArguments {
    private static let standard = OriginConfiguration()

    @Option(
        name: .of(.segmentDuration),
        help: .usual("Seconds of a live segment: 1 to 10", seconds(\.segmentDuration))
    )
    var segmentSeconds: Int64?

    @Option(name: .of(.windowSegments), help: .usual("Segments in the live playlist", standard.windowSegments))
    var windowSegments: Int?

    @Option(name: .of(.variantCount), help: .usual("Variants of the channel: 1 or 2", standard.variantCount))
    var variants: Int?

    @Option(
        name: .of(.breakInterval),
        help: .usual("Milliseconds from one break's start to the next; 0 has no breaks", milliseconds(\.breakInterval))
    )
    var breakIntervalMilliseconds: Int64?

    @Option(
        name: .of(.breakOffset),
        help: .usual("Milliseconds by which breaks are off the multiples of the interval", milliseconds(\.breakOffset))
    )
    var breakOffsetMilliseconds: Int64?

    @Option(name: .of(.breakDuration), help: .usual("Milliseconds a break lasts", milliseconds(\.breakDuration)))
    var breakMilliseconds: Int64?

    @Flag(
        inversion: .prefixedNo,
        help: "Announce breaks in the live playlists by EXT-X-DATERANGE; they are if left out."
    )
    var announceBreaks: Bool?

    @Option(name: .of(.adDuration), help: .usual("Milliseconds of each ad in a pod", milliseconds(\.adDuration)))
    var adMilliseconds: Int64?

    @Option(
        name: .of(.sessionValidity),
        help: .usual("Seconds for which a registered session is valid", seconds(\.sessionValidity))
    )
    var sessionSeconds: Int64?

    @Option(
        name: .of(.pollingFrequency),
        help: .usual(
            "Seconds between two metadata polls that viewers are asked for",
            seconds(\.metadataPollingFrequency)
        )
    )
    var metadataSeconds: Int64?

    @Option(name: .of(.networkCode), help: .usual("Network code of the event", standard.session.networkCode))
    var networkCode: String?

    @Option(name: .of(.customAssetKey), help: .usual("Custom asset key of the event", standard.session.customAssetKey))
    var customAssetKey: String?

    @Option(
        name: .of(.authTokenKey),
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

    private typealias Given = (setting: OriginConfigurationError.Setting, apply: (inout OriginConfiguration) -> Void)

    /// The options that are not left out, but for the key of tokens.
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

    /// Rejects options that the profile decides; the error names the field to override instead.
    func refuseBesideProfile() throws {
        let refused = given.map(\.setting) + (authTokenKeyVariable == nil ? [] : [.authTokenKey])
        guard refused.isEmpty else {
            let mistakes = refused.map { setting in
                let (option, field) = (setting.option ?? setting.rawValue, setting.field ?? setting.rawValue)
                return "--\(option): the profile decides it; --set \(field)=…"
            }
            throw CommandFailure(.badInput, mistakes.joined(separator: "\n"))
        }
    }

    /// Settings from these options; a missing key of tokens is an error.
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

extension ArgumentHelp {
    fileprivate static func usual(_ text: String, _ value: some CustomStringConvertible) -> ArgumentHelp {
        ArgumentHelp("\(text); \(value) if left out.")
    }
}

extension OriginConfigurationError.Setting {
    /// Option of `podswarm origin` and field of a profile for the setting; nil without one.
    private var names: (option: String?, field: String?) {
        switch self {
        case .port: ("port", nil)
        case .variantCount: ("variants", "target.embedded.variants")
        case .segmentDuration: ("segment-seconds", "target.embedded.segmentDuration")
        case .windowSegments: ("window-segments", "target.embedded.windowSegments")
        case .breakInterval: ("break-interval-milliseconds", "breaks.source")
        case .breakOffset: ("break-offset-milliseconds", "breaks.source")
        case .breakDuration: ("break-milliseconds", "breaks.podDuration")
        case .announceBreaks: ("announce-breaks", "target.embedded.announceBreaks")
        case .authTokenKey: ("auth-token-key-variable", "target.embedded.authTokenKey")
        case .networkCode: ("network-code", "target.embedded.networkCode")
        case .customAssetKey: ("custom-asset-key", "target.embedded.customAssetKey")
        case .adDuration: ("ad-milliseconds", "target.embedded.adDuration")
        case .sessionValidity: ("session-seconds", "target.embedded.sessionValidity")
        case .pollingFrequency: ("metadata-seconds", "target.embedded.metadataPolling")
        case .faultPlanPath: ("faults", "target.embedded.faults")
        case .channelPlanPath: ("channel", "target.embedded.channel")
        case .certificateOutput: ("certificate-file", nil)
        case .eventLoopThreads, .channel, .announceLead, .deferredVerificationShare: (nil, nil)
        }
    }

    var option: String? { names.option }
    var field: String? { names.field }
}

extension NameSpecification {
    static func of(_ setting: OriginConfigurationError.Setting) -> NameSpecification {
        setting.option.map { .customLong($0) } ?? .long
    }
}
