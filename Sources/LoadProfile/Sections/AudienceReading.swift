extension ProfileSection {
    func audiencePlan() -> AudiencePlan {
        AudiencePlan(
            viewers: required("viewers", .integer(1...1_000_000)) ?? 1,
            ramp: value("ramp", .duration(.zero ... .seconds(86_400))) ?? .seconds(10),
            churnPerMinute: value("churnPerMinute", .share) ?? 0,
            pictureInPicture: section("pictureInPicture") { $0.pictureInPicturePlan() }
        )
    }

    private func pictureInPicturePlan() -> PictureInPicturePlan {
        PictureInPicturePlan(
            share: value("share", .share) ?? 0,
            every: value("every", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(60),
            stay: value("stay", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(15),
            rule: value("rule", .choice) ?? .deferred
        )
    }

    func playbackPlan() -> PlaybackPlan {
        PlaybackPlan(
            variant: value("variant", .choice) ?? .first,
            reload: value("reload", .choice) ?? .lastSegment,
            segments: value("segments", .choice) ?? .none,
            sendsVerificationPings: value("verificationPings", .boolean) ?? true,
            pollsMetadata: value("metadata", .boolean) ?? true,
            playoutLimit: value("playoutLimit", .duration(.milliseconds(100) ... .seconds(3600)))
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
