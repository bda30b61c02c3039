import Players

extension AudiencePlan {
    init(reading section: ProfileSection, over run: Duration) {
        section.addFields(ofFile: "file")
        let usualRamp = section.has("curve") ? Duration.zero : .seconds(10)
        let personas = [PersonaShare](reading: section, at: "personas")
        self.init(
            viewers: section.required("viewers", .integer(1...1_000_000)) ?? 1,
            ramp: section.value("ramp", .duration(.zero ... .seconds(86_400))) ?? usualRamp,
            churnPerMinute: section.value("churnPerMinute", .share) ?? 0,
            pictureInPicture: section.section("pictureInPicture") { PictureInPicturePlan(reading: $0) },
            personas: personas,
            traits: [AudienceTrait](reading: section, at: "traits", personas: personas),
            skips: section.section("skips") { NavigationPlan(reading: $0, distance: nil) },
            seeks: section.section("seeks") { NavigationPlan(reading: $0, distance: .seconds(10)) },
            abandonment: section.section("abandonment") { AbandonmentPlan(reading: $0) }
        )
        section.reading.note(traits, at: section.fieldPath("traits"))
        curve = CurvePlan(reading: section, at: "curve", traits: traits, over: run)
    }
}

extension NavigationPlan {
    /// Reads what some viewers do besides watching; nil where nobody does.
    fileprivate init?(reading section: ProfileSection, distance usual: Duration?) {
        let share = section.required("share", .share)
        let every = section.value("every", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(60)
        let distance = usual.map { section.value("distance", .duration(.seconds(1) ... .seconds(3600))) ?? $0 }
        guard section.isPresent, let share, share > 0 else { return nil }
        self.init(share: share, every: every, distance: distance ?? .zero)
    }
}

extension AbandonmentPlan {
    /// Reads what people do whose player shows nothing; nil where they wait.
    fileprivate init?(reading section: ProfileSection) {
        let usual = AbandonmentPlan()
        let patience = ScalarRule.duration(.milliseconds(100) ... .seconds(86_400))
        let reopening = section.section("reopen") { reopen in
            (
                share: reopen.required("share", .share),
                after: reopen.value("after", .duration(.milliseconds(100) ... .seconds(86_400)))
            )
        }
        self.init(
            afterStall: section.value("afterStall", patience) ?? usual.afterStall,
            afterStop: section.value("afterStop", patience) ?? usual.afterStop,
            reopenShare: reopening.share ?? usual.reopenShare,
            reopenAfter: reopening.after ?? usual.reopenAfter
        )
        guard section.isPresent else { return nil }
    }
}

extension PictureInPicturePlan {
    fileprivate init(reading section: ProfileSection) {
        self.init(
            share: section.value("share", .share) ?? 0,
            every: section.value("every", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(60),
            stay: section.value("stay", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(15),
            rule: section.value("rule", .choice) ?? .lost
        )
    }
}
