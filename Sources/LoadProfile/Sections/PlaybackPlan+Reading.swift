extension PlaybackPlan {
    /// Reads `playback`; audio renditions are loaded as `playsAudio` says where the profile does not.
    init(reading section: ProfileSection, playsAudio: Bool) {
        let renditions = section.section("renditions") { renditions in
            (audio: renditions.value("audio", .boolean), subtitles: renditions.value("subtitles", .boolean))
        }
        let segments: SegmentChoice = section.value("segments", .choice) ?? .none
        let timedMetadataShare = section.value("timedMetadataShare", .share)
        self.init(
            variant: section.value("variant", .choice) ?? .first,
            reload: section.value("reload", .choice) ?? .lastSegment,
            segments: segments,
            sendsVerificationPings: section.value("verificationPings", .boolean) ?? true,
            pollsMetadata: section.value("metadata", .boolean) ?? true,
            playoutLimit: section.value("playoutLimit", .duration(.milliseconds(100) ... .seconds(3600))),
            verifyDeltaShare: section.value("verifyDeltaShare", .share) ?? 0,
            switchEvery: section.value("switchEvery", .duration(.seconds(1) ... .seconds(86_400))),
            playsAudioRendition: renditions.audio ?? playsAudio,
            playsSubtitles: renditions.subtitles ?? false,
            timedMetadataShare: timedMetadataShare ?? 1,
            staleAfterTargets: section.value("staleAfter", .number(1.5...10)) ?? Self.usualStaleAfterTargets
        )
        section.reading.rule(
            section.fieldPath("timedMetadataShare"),
            section.fieldPath("segments"),
            isBroken: timedMetadataShare != nil && !segments.includesAds,
            message: "has no effect without segments: ads or all, whose bodies the metadata is in"
        )
    }
}
