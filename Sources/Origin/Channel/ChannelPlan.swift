import Profile
import Values

/// Plan of a live channel: a YAML mapping of optional sections.
///
/// An empty plan is the plain channel: one rendition per variant, whole segments, announced breaks.
struct ChannelPlan: Sendable, Equatable, ProfileFields {
    var interstitials: [InterstitialScript] = []
    var stitched: StitchedPlan?

    static let plain = ChannelPlan()

    /// Nil: whole segments, no blocking and no delta updates.
    var lowLatency: LowLatencyPlan?
    var renditions = RenditionsPlan()
    var variables = VariablesPlan()
    /// Nil: one pathway without a name.
    var steering: SteeringPlan?

    static let usual = plain

    static func fields(_ f: inout FieldTable<Self>) {
        f["lowLatency", \.lowLatency, .section] = "How the media playlists are delivered."
        f["renditions", \.renditions, .section] = "Media that is not inside the variants."
        f["variables", \.variables, .section] = "EXT-X-DEFINE in the channel's playlists."
        f["steering", \.steering, .section] =
            "Several pathways, and a manifest that says which one to take."
        f.add(
            "interstitials",
            "Interstitials that the live playlists schedule.",
            schema: .list(of: InterstitialScript.schema()),
            read: { $1.interstitials = InterstitialScript.list(reading: $0, at: "interstitials") }
        )
        f["stitched", \.stitched, .section] = "Breaks that the channel itself carries."
    }

    /// Throws every conflict with the channel's settings, all at once.
    func validate(on configuration: OriginConfiguration) throws(OriginConfigurationError) {
        let mistakes = lowLatency?.mistakes(configuration) ?? []
        guard mistakes.isEmpty else {
            throw OriginConfigurationError(
                mistakes: mistakes.map { .init(.channelPlanPath, file: configuration.channelPlanPath, $0) }
            )
        }
    }
}

struct RenditionsPlan: Sendable, Equatable, ProfileFields {
    static let usual = RenditionsPlan()

    var audio: [String] = []
    var subtitles: [String] = []

    static func fields(_ f: inout FieldTable<Self>) {
        f["audio", \.audio, .list(of: .language, isLoose: true)] =
            "Languages of audio renditions; with any, the variants have no sound of their own."
        f["subtitles", \.subtitles, .list(of: .language, isLoose: true)] =
            "Languages of subtitles, as WebVTT."
    }

    func settle(_ section: ProfileSection) {
        for (key, words) in [("audio", audio), ("subtitles", subtitles)] {
            section.reading.rule(section.fieldPath(key), isBroken: words.count > 8 || Set(words).count < words.count) {
                "must be a list of at most 8 different languages such as [en, es]"
            }
        }
    }
}

extension ScalarRule<String> {
    fileprivate static var language: ScalarRule {
        text("a language such as en").refusing { word in
            (2...8).contains(word.utf8.count) && word.utf8.allSatisfy { $0.isUnreserved }
                ? nil : "is not a language"
        }
    }
}

/// The channel plan's `variables` section: EXT-X-DEFINE in the channel's playlists (bis-22 section 4.4.2.3).
struct VariablesPlan: Sendable, Equatable, ProfileFields {
    static let usual = VariablesPlan()

    var base: String?
    /// Token without which media is refused; defined by NAME in the multivariant playlist, by QUERYPARAM in media playlists.
    var token: String?

    static func fields(_ f: inout FieldTable<Self>) {
        f["base", \.base, .variableName] =
            "Name of a variable that the multivariant playlist defines, media playlists import and their URIs begin with."
        f["token", \.token, .variableName] = "Name of a query parameter that every URI passes on."
    }

    func settle(_ section: ProfileSection) {
        section.reading.rule(section.path, isBroken: base != nil && base == token) {
            "base and token must be different names"
        }
    }

    /// Lowest EXT-X-VERSION of media playlists (bis-22 section 8).
    var mediaVersion: Int { token != nil ? 11 : base != nil ? 8 : 1 }
    var multivariantVersion: Int { token != nil || base != nil ? 8 : 1 }
}

extension ScalarRule<String> {
    /// bis-22 section 4.3; `_HLS_` is reserved.
    fileprivate static var variableName: ScalarRule {
        text("letters, digits, '-' and '_', not beginning with _HLS_").refusing { name in
            let isAllowed = name.utf8.allSatisfy {
                $0.isUnreserved && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~")
            }
            return isAllowed && !name.hasPrefix("_HLS_") ? nil : "cannot name a variable"
        }
    }
}
