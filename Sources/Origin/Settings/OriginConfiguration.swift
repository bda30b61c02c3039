package import AdServing
import HLS

/// What the reference origin serves and where; immutable once a server is made from it.
///
/// Its encoded form is how a run hands the settings to the origin that it starts: nothing is rounded on the way.
package struct OriginConfiguration: Sendable, Equatable, Codable {
    /// Address to listen on; a loopback address unless the user says otherwise.
    package var host = "127.0.0.1"
    /// Port to listen on; 0 lets the system choose one.
    package var port = 0
    /// Whether connections are TLS, with a certificate made at start.
    package var useTLS = false
    /// Whether HTTP/2 is offered: by ALPN beside HTTP/1.1 with TLS, by prior knowledge only without.
    package var useHTTP2 = false
    /// Threads that serve; one is the fastest on a machine shared with the load generator.
    package var eventLoopThreads = 1

    /// Name of the live channel in its URLs.
    package var channel = "main"
    /// How many variants the channel and the pods have, best first; 1 or 2.
    package var variantCount = 2
    /// Length of a live segment: 1 to 10 whole seconds, so that segments are whole fragments of the clip.
    package var segmentDuration: Duration = .seconds(2)
    /// Segments in the sliding window of a live playlist; at least 3 target durations must remain (bis-22 6.2.2).
    package var windowSegments = 10

    /// Time from one break's start to the next one's; zero means the channel has no breaks.
    package var breakInterval: Duration = .seconds(60)
    /// Shift of all break starts from the multiples of the interval since the Unix epoch.
    package var breakOffset: Duration = .zero
    /// Planned length of each break.
    package var breakDuration: Duration = .seconds(30)
    /// Whether breaks appear in the live playlists as EXT-X-DATERANGE.
    package var announceBreaks = true
    /// How long before its start a break is announced; nil means five target durations and at least 10 s.
    package var announceLead: Duration?

    /// Network code of the one event that the ad side knows.
    package var networkCode = "21775744923"
    /// Custom asset key of that event.
    package var customAssetKey = "sgai-hls-live"
    /// Length of each ad; a pod is filled with ads of this length and the last one is cut to fit.
    package var adDuration: Duration = .seconds(10)
    /// How long a registered session is valid.
    package var sessionValidity: Duration = .seconds(8 * 3_600)
    /// How often a client is told to ask for metadata.
    package var pollingFrequency: Duration = .seconds(10)
    /// Key that auth tokens must be signed with; nil means that tokens are not looked at.
    package var requireAuthTokenKey: String?
    /// Share of media verifications answered 202 (recorded later) in place of 204, between 0 and 1.
    package var deferredVerificationShare = 0.0

    /// Name of the registration's parameter whose value aims pods; nil gives every session the same ones.
    package var aimingParameter: String?
    /// How addresses in pods and asset lists are signed, anew in each answer; nil leaves them as they are.
    package var addressSigning: AddressSigning?
    /// Whether the paths of creatives begin with a piece that is the session's own.
    package var hasSessionPaths = false
    /// Whether the live playlists, and the ads that are stitched into them, lie under a piece that names the session.
    package var hasSessionPlaylists = false
    /// Whether a media verification that came before is answered 409 in place of 404.
    package var hasVerificationConflicts = false
    /// What metadata lists of media ids, and so whether pods' segments carry them.
    package var mediaIDs = MediaIDForm.whole
    /// Whether the multivariant playlist is answered with a redirect to another name of the host.
    package var redirectsMultivariant = false
    /// Whether a tag of its own with END-DATE ends each announced break.
    package var closesBreaks = false

    /// In which headers and parameters it counts what viewers say of themselves.
    package var countedFields: [CountedField] = []
    /// Whether each viewer that says its number is given a cookie of its own.
    package var setsCookies = false

    /// YAML file that says which answers are broken on purpose; nil means none.
    package var faultPlanPath: String?
    /// YAML file that says what the channel does besides going on; nil is the plain channel.
    package var channelPlanPath: String?
    /// Text of the channel plan, for an origin without a plan file.
    package var channelPlanText: String?
    /// Decides stream ids, creative orders and fault shares; the same seed gives the same answers.
    package var seed: UInt64 = 1
    /// How far its wall clock is ahead of this machine's monotonic clock, as the run that starts it goes by; nil follows the
    /// system's wall clock.
    package var wallClockAhead: Duration?
    /// Where the PEM of the certificate made at start is written, for clients to trust.
    package var certificateOutput: String?

    /// The defaults: a plain HTTP/1.1 origin on a free loopback port with a break each minute.
    package init() {}
}

extension OriginConfiguration {
    private static let segmentSeconds = Int64(1)...10

    /// The length of a live segment that is nearest to another channel's.
    package static func nearestSegmentDuration(_ duration: Duration) -> Duration {
        let seconds = duration.components.seconds
        return .seconds(min(max(seconds, segmentSeconds.lowerBound), segmentSeconds.upperBound))
    }

    /// Throws all mistakes of this configuration at once.
    package func validate() throws(OriginConfigurationError) {
        let mistakes = channelMistakes + breakMistakes + adMistakes
        if !mistakes.isEmpty { throw OriginConfigurationError(mistakes: mistakes) }
    }

    /// Writes the certificate that clients are to trust, where that is asked for.
    package func writeCertificate(_ pem: String) throws(OriginConfigurationError) {
        guard let path = certificateOutput else { return }
        try OriginFile(setting: .certificateOutput, path: path).write(pem)
    }

    /// The schedule that both the playlists and the pods follow; nil when the channel has no breaks.
    package var breakSchedule: BreakSchedule? {
        guard breakInterval > .zero else { return nil }
        return .every(
            interval: breakInterval,
            epoch: WallTime(microseconds: 0),
            firstOffset: breakOffset,
            duration: breakDuration
        )
    }

    /// How long before its start, counted from the live edge, a break is announced.
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
