extension ProfileSection {
    func audiencePlan() -> AudiencePlan {
        AudiencePlan(
            viewers: required("viewers", .integer(1...1_000_000)) ?? 1,
            ramp: value("ramp", .duration(.zero ... .seconds(86_400))) ?? .seconds(10),
            churnPerMinute: value("churnPerMinute", .share) ?? 0,
            pictureInPicture: section("pictureInPicture") { $0.pictureInPicturePlan() },
            personas: personaShares(),
            skips: section("skips") { $0.navigationPlan(distance: nil) },
            seeks: section("seeks") { $0.navigationPlan(distance: .seconds(10)) }
        )
    }

    /// Reads what some viewers do besides watching; nil where nobody does.
    private func navigationPlan(distance usual: Duration?) -> NavigationPlan? {
        let share = required("share", .share)
        let every = value("every", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(60)
        let distance = usual.map { value("distance", .duration(.seconds(1) ... .seconds(3600))) ?? $0 }
        guard isPresent, let share, share > 0 else { return nil }
        return NavigationPlan(share: share, every: every, distance: distance ?? .zero)
    }

    private func pictureInPicturePlan() -> PictureInPicturePlan {
        PictureInPicturePlan(
            share: value("share", .share) ?? 0,
            every: value("every", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(60),
            stay: value("stay", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(15),
            rule: value("rule", .choice) ?? .deferred
        )
    }

    /// Reads `playback`; audio renditions are loaded as `playsAudio` says where the profile does not.
    func playbackPlan(playsAudio: Bool) -> PlaybackPlan {
        let renditions = section("renditions") { section in
            (audio: section.value("audio", .boolean), subtitles: section.value("subtitles", .boolean))
        }
        return PlaybackPlan(
            variant: value("variant", .choice) ?? .first,
            reload: value("reload", .choice) ?? .lastSegment,
            segments: value("segments", .choice) ?? .none,
            sendsVerificationPings: value("verificationPings", .boolean) ?? true,
            pollsMetadata: value("metadata", .boolean) ?? true,
            playoutLimit: value("playoutLimit", .duration(.milliseconds(100) ... .seconds(3600))),
            verifyDeltaShare: value("verifyDeltaShare", .share) ?? 0,
            switchEvery: value("switchEvery", .duration(.seconds(1) ... .seconds(86_400))),
            playsAudioRendition: renditions.audio ?? playsAudio,
            playsSubtitles: renditions.subtitles ?? false
        )
    }

    func podPlan() -> PodPlan {
        PodPlan(
            consistency: value("consistency", .choice) ?? .same,
            repeatShare: value("repeatShare", .share) ?? 0,
            durationTolerance: value("durationTolerance", .duration(.zero ... .seconds(60))) ?? .milliseconds(100)
        )
    }
}
