package struct PlaybackPlan: Sendable, Equatable, ProfileFields {
    package enum VariantChoice: String, Sendable, CaseIterable {
        case first
        case highest
        case lowest
        case random
    }

    package enum ReloadBasis: String, Sendable, CaseIterable {
        /// draft-pantos-hls-rfc8216bis section 6.3.4.
        case lastSegment = "last-segment"
        /// RFC 8216 section 6.3.4.
        case targetDuration = "target-duration"
    }

    package enum SegmentChoice: String, Sendable, CaseIterable {
        case none
        case ads
        case content
        case all

        package var includesAds: Bool { self == .ads || self == .all }
        package var includesContent: Bool { self == .content || self == .all }
    }

    package var variant = VariantChoice.first
    package var reload = ReloadBasis.lastSegment
    package var segments = SegmentChoice.none
    package var sendsVerificationPings = true
    package var pollsMetadata = true
    package var playoutLimit: Duration? = nil
    package var verifyDeltaShare: Double = 0
    package var switchEvery: Duration? = nil
    package var playsAudioRendition = false
    package var playsSubtitles = false
    package var timedMetadataShare: Double = 1
    /// One and a half target durations that a server may take (bis-22 section 6.2.1), and half of one for a cache.
    package var staleAfterTargets = 2.0

    package static let usual = PlaybackPlan()

    package static func fields(_ f: inout FieldTable<Self>) {
        f["variant", \.variant, .choice] =
            "Which variant a viewer plays, of the channel and of pods; with random each viewer has its own."
        f["reload", \.reload, .choice] =
            "Source of the reload interval after a new playlist; after an unchanged one it is half a target duration."
        f["segments", \.segments, .choice] =
            "Which segments are fetched, with their keys of KEYFORMAT identity; bodies are counted, not kept."
        f["verificationPings", \.sendsVerificationPings, .boolean] =
            "Fire the media verification pings of each ad; only targets in the shape of pod serving have them."
        f["metadata", \.pollsMetadata, .boolean] =
            "Poll the session's metadata at the frequency that the registration gives."
        f["playoutLimit", \.playoutLimit, .duration(.milliseconds(100) ... .seconds(3600))] =
            "A break ends this long after it started, whatever is left of the pod."
        f["verifyDeltaShare", \.verifyDeltaShare, .share, .unlessUsual] =
            "Share of merged delta updates that are checked by a full reload at once."
        f["switchEvery", \.switchEvery, .duration(.seconds(1) ... .seconds(86_400))] =
            "Mean time between two changes of a viewer's variant; left out, it keeps its variant."
        f.group("renditions", "Renditions in playlists of their own that are loaded beside the variant.") {
            $0["audio", \.playsAudioRendition, .boolean, [.unlessUsual, .derived]] =
                "The variant's audio rendition; true by default where the audience has personas."
            $0["subtitles", \.playsSubtitles, .boolean, .unlessUsual] = "The variant's subtitles."
        }
        f["timedMetadataShare", \.timedMetadataShare, .share, .unlessUsual] =
            "Share of viewers that read the media ids in segments of ads, each for all viewers of its loop."
        f["staleAfter", \.staleAfterTargets, .number(1.5...10), .unlessUsual] =
            "Target durations without anything new after which a live playlist is playlist_stale; 1.5 is right without a cache."
    }

    package mutating func settle(_ section: ProfileSection) {
        let isIdle = section.has("timedMetadataShare") && !segments.includesAds
        section["timedMetadataShare", "segments", if: isIdle] =
            "has no effect without segments: ads or all, whose bodies the metadata is in"
    }
}
