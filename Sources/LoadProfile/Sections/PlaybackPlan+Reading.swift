extension PlaybackPlan {
    /// Reads `playback`; audio renditions are loaded as `playsAudio` says where the profile does not.
    init(reading section: ProfileSection, playsAudio: Bool) {
        let renditions = section.section("renditions") { renditions in
            (audio: renditions.value("audio", .boolean), subtitles: renditions.value("subtitles", .boolean))
        }
        self.init(
            variant: section.value("variant", .choice) ?? .first,
            reload: section.value("reload", .choice) ?? .lastSegment,
            segments: section.value("segments", .choice) ?? .none,
            sendsVerificationPings: section.value("verificationPings", .boolean) ?? true,
            pollsMetadata: section.value("metadata", .boolean) ?? true,
            playoutLimit: section.value("playoutLimit", .duration(.milliseconds(100) ... .seconds(3600))),
            verifyDeltaShare: section.value("verifyDeltaShare", .share) ?? 0,
            switchEvery: section.value("switchEvery", .duration(.seconds(1) ... .seconds(86_400))),
            playsAudioRendition: renditions.audio ?? playsAudio,
            playsSubtitles: renditions.subtitles ?? false,
            timedMetadataShare: section.value("timedMetadataShare", .share) ?? 1,
            staleAfterTargets: section.value("staleAfter", .number(1.5...10)) ?? Self.usualStaleAfterTargets
        )
    }
}
