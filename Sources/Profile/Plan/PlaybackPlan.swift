package struct PlaybackPlan: Sendable, Equatable, ProfileFields {
    package enum VariantChoice: String, Sendable, CaseIterable {
        case first, highest, lowest, random
    }

    package enum ReloadBasis: String, Sendable, CaseIterable {
        /// draft-pantos-hls-rfc8216bis section 6.3.4.
        case lastSegment = "last-segment"
        /// RFC 8216 section 6.3.4.
        case targetDuration = "target-duration"
    }

    package enum SegmentChoice: String, Sendable, CaseIterable {
        case none, ads, content, all

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

    package static let fields = FieldList(PlaybackPlan()) { f in
        f.add("variant", \.variant, .choice)
        f.add("reload", \.reload, .choice)
        f.add("segments", \.segments, .choice)
        f.add("verificationPings", \.sendsVerificationPings, .boolean)
        f.add("metadata", \.pollsMetadata, .boolean)
        f.add("playoutLimit", \.playoutLimit, .duration(.milliseconds(100) ... .seconds(3600)))
        f.add("verifyDeltaShare", \.verifyDeltaShare, .share, .unlessUsual)
        f.add("switchEvery", \.switchEvery, .duration(.seconds(1) ... .seconds(86_400)))
        f.group("renditions") {
            $0.add("audio", \.playsAudioRendition, .boolean, [.unlessUsual, .derived])
            $0.add("subtitles", \.playsSubtitles, .boolean, .unlessUsual)
        }
        f.add("timedMetadataShare", \.timedMetadataShare, .share, .unlessUsual)
        f.add("staleAfter", \.staleAfterTargets, .number(1.5...10), .unlessUsual)
    }

    package mutating func settle(_ section: ProfileSection) {
        let isIdle = section.has("timedMetadataShare") && !segments.includesAds
        section["timedMetadataShare", "segments", if: isIdle] =
            "has no effect without segments: ads or all, whose bodies the metadata is in"
    }
}
