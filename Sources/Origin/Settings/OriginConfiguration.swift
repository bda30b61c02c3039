package import AdServing
import HLS
import Values

/// Settings of the reference origin.
///
/// A run passes them in encoded form to the origin that it starts: nothing is rounded on the way.
package struct OriginConfiguration: Sendable, Equatable, Codable {
    package var host = "127.0.0.1"
    /// 0 lets the system choose a port.
    package var port = 0
    /// TLS uses a certificate made at start.
    package var useTLS = false
    /// With TLS, by ALPN beside HTTP/1.1; without, by prior knowledge only.
    package var useHTTP2 = false
    /// One thread is the fastest on a machine shared with the load generator.
    package var eventLoopThreads = 1

    package var channel = "main"
    /// Variants of the channel and the pods, best first; 1 or 2.
    package var variantCount = 2
    /// 1 to 10 whole seconds, so that segments are whole fragments of the clip.
    package var segmentDuration: Duration = .seconds(2)
    /// Segments in the sliding window of a live playlist; at least 3 target durations must remain (bis-22 6.2.2).
    package var windowSegments = 10

    /// Time between starts of breaks; zero for a channel without breaks.
    package var breakInterval: Duration = .seconds(60)
    /// Shift of all break starts from the multiples of the interval since the Unix epoch.
    package var breakOffset: Duration = .zero
    package var breakDuration: Duration = .seconds(30)
    /// Whether breaks appear in the live playlists as EXT-X-DATERANGE.
    package var announceBreaks = true
    /// Time of the announcement before the start; nil means five target durations and at least 10 s.
    package var announceLead: Duration?

    package var networkCode = "21775744923"
    package var customAssetKey = "sgai-hls-live"
    /// A pod consists of ads of this length; the last one is cut to fit.
    package var adDuration: Duration = .seconds(10)
    package var sessionValidity: Duration = .seconds(8 * 3_600)
    /// Interval in which clients are asked to request metadata.
    package var pollingFrequency: Duration = .seconds(10)
    /// Key of required auth tokens; nil disables their check.
    package var requireAuthTokenKey: String?
    /// Share of media verifications answered 202 (recorded later) in place of 204, between 0 and 1.
    package var deferredVerificationShare = 0.0

    /// Registration parameter whose value aims pods; nil gives all sessions the same ones.
    package var aimingParameter: String?
    /// Form of signatures in addresses of pods and asset lists, which differ in each answer; nil for none.
    package var addressSigning: AddressSigning?
    package var hasSessionPaths = false
    /// Whether the paths of live playlists and stitched ads begin with a piece of the session.
    package var hasSessionPlaylists = false
    /// Whether a repeated media verification is answered 409 in place of 404.
    package var hasVerificationConflicts = false
    /// Form of media ids in metadata, which decides whether pods' segments contain them.
    package var mediaIDs = MediaIDForm.whole
    /// Whether the multivariant playlist is redirected to another name of the host.
    package var redirectsMultivariant = false
    /// Whether a tag of its own with END-DATE ends each announced break.
    package var closesBreaks = false

    /// Headers and parameters whose values are counted by viewer.
    package var countedFields: [CountedField] = []
    /// Whether each numbered viewer receives a cookie of its own.
    package var setsCookies = false

    package var faultPlanPath: String?
    /// YAML file of the channel plan; nil for the plain channel.
    package var channelPlanPath: String?
    /// Text of the channel plan, for an origin without a plan file.
    package var channelPlanText: String?
    /// Decides stream ids, creative orders and fault shares; equal seeds give equal answers.
    package var seed: UInt64 = 1
    /// Lead of the run's wall clock over the monotonic clock; nil for the system's wall clock.
    package var wallClockAhead: Duration?
    /// File for the PEM of the certificate made at start, for clients to trust.
    package var certificateOutput: String?

    /// A plain HTTP/1.1 origin on a free loopback port with a break each minute.
    package init() {}
}

extension OriginConfiguration {
    private static let segmentSeconds = Int64(1)...10

    /// The allowed segment duration that is nearest to another channel's.
    package static func nearestSegmentDuration(_ duration: Duration) -> Duration {
        let seconds = duration.components.seconds
        return .seconds(min(max(seconds, segmentSeconds.lowerBound), segmentSeconds.upperBound))
    }

    package func validate() throws(OriginConfigurationError) {
        let mistakes = channelMistakes + breakMistakes + adMistakes
        if !mistakes.isEmpty { throw OriginConfigurationError(mistakes: mistakes) }
    }

    package func writeCertificate(_ pem: String) throws(OriginConfigurationError) {
        guard let path = certificateOutput else { return }
        try OriginFile(setting: .certificateOutput, path: path).write(pem)
    }

    /// Schedule of playlists and pods; nil for a channel without breaks.
    package var breakSchedule: BreakSchedule? {
        guard breakInterval > .zero else { return nil }
        return .every(
            interval: breakInterval,
            epoch: WallTime(microseconds: 0),
            firstOffset: breakOffset,
            duration: breakDuration
        )
    }

    /// Time of a break's announcement before its start, counted from the live edge.
    ///
    /// The newest segment is up to one target duration old: five leave at least four before the break itself.
    var standardLead: Duration { announceLead ?? max(segmentDuration * 5, .seconds(10)) }

    private var channelMistakes: [OriginConfigurationError.Mistake] {
        var mistakes: [OriginConfigurationError.Mistake] = []
        if !(0...65_535).contains(port) { mistakes.append(.init(.port, "\(port) is not between 0 and 65535")) }
        if !(1...64).contains(eventLoopThreads) {
            mistakes.append(.init(.eventLoopThreads, "\(eventLoopThreads) is not between 1 and 64"))
        }
        if channel.isEmpty || !channel.utf8.allSatisfy(\.isUnreserved) {
            mistakes.append(.init(.channel, "\"\(channel)\" is not made of letters, digits, '-', '_', '.' and '~'"))
        }
        if !(1...ClipProfile.allCases.count).contains(variantCount) {
            mistakes.append(.init(.variantCount, "\(variantCount) is not between 1 and \(ClipProfile.allCases.count)"))
        }
        if !Self.segmentSeconds.contains(where: { segmentDuration == .seconds($0) }) {
            mistakes.append(.init(.segmentDuration, "\(segmentDuration) is not 1 to 10 whole seconds"))
        }
        if !(3...1_000).contains(windowSegments) {
            mistakes.append(.init(.windowSegments, "\(windowSegments) is not between 3 and 1000"))
        }
        return mistakes
    }

    private var breakMistakes: [OriginConfigurationError.Mistake] {
        guard breakInterval != .zero else { return [] }
        var mistakes: [OriginConfigurationError.Mistake] = []
        let day = Duration.seconds(86_400)
        let isIntervalAllowed = breakInterval >= .seconds(1) && breakInterval <= day
        if !isIntervalAllowed {
            mistakes.append(.init(.breakInterval, "\(breakInterval) is not zero or between 1 second and 24 hours"))
        }
        if breakOffset < .zero || breakOffset > day {
            mistakes.append(.init(.breakOffset, "\(breakOffset) is not between zero and 24 hours"))
        }
        if breakDuration < .milliseconds(1) || breakDuration > .seconds(PodLimits.maximumSeconds) {
            mistakes.append(
                .init(.breakDuration, "\(breakDuration) is not between 1 ms and \(PodLimits.maximumSeconds) s")
            )
        } else if isIntervalAllowed, breakDuration > breakInterval {
            mistakes.append(
                .init(
                    .breakDuration,
                    "\(breakDuration) is longer than the time from one break to the next, \(breakInterval)"
                )
            )
        }
        if let lead = announceLead, lead < segmentDuration * 3 || lead > day {
            mistakes.append(.init(.announceLead, "\(lead) is not between three segment durations and 24 hours"))
        }
        return mistakes
    }

    private var adMistakes: [OriginConfigurationError.Mistake] {
        var mistakes: [OriginConfigurationError.Mistake] = []
        if adDuration < .seconds(1) || adDuration > .seconds(PodLimits.maximumSeconds) {
            mistakes.append(
                .init(.adDuration, "\(adDuration) is not between 1 and \(PodLimits.maximumSeconds) seconds")
            )
        }
        if sessionValidity < .seconds(1) || sessionValidity > .seconds(366 * 86_400) {
            mistakes.append(.init(.sessionValidity, "\(sessionValidity) is not between 1 second and 366 days"))
        }
        if pollingFrequency < .seconds(1) || pollingFrequency > .seconds(86_400) {
            mistakes.append(.init(.pollingFrequency, "\(pollingFrequency) is not between 1 second and 24 hours"))
        }
        if !(0...1).contains(deferredVerificationShare) {
            mistakes.append(.init(.deferredVerificationShare, "\(deferredVerificationShare) is not between 0 and 1"))
        }
        let names: [(OriginConfigurationError.Setting, String)] = [
            (.networkCode, networkCode), (.customAssetKey, customAssetKey),
        ]
        for (setting, value) in names where value.isEmpty || !value.utf8.allSatisfy(\.isUnreserved) {
            mistakes.append(.init(setting, "\"\(value)\" is not made of letters, digits, '-', '_', '.' and '~'"))
        }
        return mistakes
    }
}
