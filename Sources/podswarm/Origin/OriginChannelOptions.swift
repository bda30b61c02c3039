import ArgumentParser
import Foundation
import Origin
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
        help: .usual("Seconds between two metadata polls that viewers are asked for", seconds(\.pollingFrequency))
    )
    var metadataSeconds: Int64?

    @Option(name: .of(.networkCode), help: .usual("Network code of the event", standard.networkCode))
    var networkCode: String?

    @Option(name: .of(.customAssetKey), help: .usual("Custom asset key of the event", standard.customAssetKey))
    var customAssetKey: String?

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

    /// Rejects options that the profile decides; the error names the field to override instead.
    func refuseBesideProfile() throws {
        let given: [(isGiven: Bool, option: String, field: String)] = [
            of(.segmentDuration, segmentSeconds), of(.windowSegments, windowSegments), of(.variantCount, variants),
            of(.breakInterval, breakIntervalMilliseconds), of(.breakOffset, breakOffsetMilliseconds),
            of(.breakDuration, breakMilliseconds), of(.adDuration, adMilliseconds),
            of(.sessionValidity, sessionSeconds), of(.pollingFrequency, metadataSeconds),
            of(.networkCode, networkCode), of(.customAssetKey, customAssetKey), of(.faultPlanPath, faults),
            of(.channelPlanPath, channel),
            (announceBreaks != nil, "announce-breaks", "target.embedded.announceBreaks"),
            (authTokenKeyVariable != nil, "auth-token-key-variable", "target.embedded.authTokenKey"),
        ]
        let refused = given.filter(\.isGiven).map { "--\($0.option): the profile decides it; --set \($0.field)=…" }
        guard refused.isEmpty else { throw CommandFailure(.badInput, refused.joined(separator: "\n")) }
    }

    private func of(
        _ setting: OriginConfigurationError.Setting,
        _ value: Any?
    ) -> (isGiven: Bool, option: String, field: String) {
        (value != nil, setting.option ?? setting.rawValue, setting.field ?? setting.rawValue)
    }

    /// Settings from these options; a missing key of tokens is an error.
    func settings() throws -> OriginConfiguration {
        var settings = Self.standard
        settings.segmentDuration = segmentSeconds.map { .seconds($0) } ?? settings.segmentDuration
        settings.windowSegments = windowSegments ?? settings.windowSegments
        settings.variantCount = variants ?? settings.variantCount
        settings.breakInterval = breakIntervalMilliseconds.map { .milliseconds($0) } ?? settings.breakInterval
        settings.breakOffset = breakOffsetMilliseconds.map { .milliseconds($0) } ?? settings.breakOffset
        settings.breakDuration = breakMilliseconds.map { .milliseconds($0) } ?? settings.breakDuration
        settings.announceBreaks = announceBreaks ?? settings.announceBreaks
        settings.adDuration = adMilliseconds.map { .milliseconds($0) } ?? settings.adDuration
        settings.sessionValidity = sessionSeconds.map { .seconds($0) } ?? settings.sessionValidity
        settings.pollingFrequency = metadataSeconds.map { .seconds($0) } ?? settings.pollingFrequency
        settings.networkCode = networkCode ?? settings.networkCode
        settings.customAssetKey = customAssetKey ?? settings.customAssetKey
        settings.faultPlanPath = faults
        settings.channelPlanPath = channel
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
    /// Option of `podswarm origin` for the setting; nil if there is none.
    var option: String? {
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

    /// Field of a profile for the setting; nil if there is none.
    var field: String? {
        switch self {
        case .variantCount: "target.embedded.variants"
        case .segmentDuration: "target.embedded.segmentDuration"
        case .windowSegments: "target.embedded.windowSegments"
        case .breakInterval, .breakOffset: "breaks.source"
        case .breakDuration: "breaks.podDuration"
        case .networkCode: "target.embedded.networkCode"
        case .customAssetKey: "target.embedded.customAssetKey"
        case .adDuration: "target.embedded.adDuration"
        case .sessionValidity: "target.embedded.sessionValidity"
        case .pollingFrequency: "target.embedded.metadataPolling"
        case .faultPlanPath: "target.embedded.faults"
        case .channelPlanPath: "target.embedded.channel"
        case .port, .certificateOutput, .eventLoopThreads, .channel, .announceLead, .deferredVerificationShare: nil
        }
    }
}

extension NameSpecification {
    static func of(_ setting: OriginConfigurationError.Setting) -> NameSpecification {
        setting.option.map { .customLong($0) } ?? .long
    }
}
