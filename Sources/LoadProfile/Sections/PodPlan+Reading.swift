extension PodPlan {
    init(reading section: ProfileSection) {
        self.init(
            consistency: section.value("consistency", .choice) ?? .same,
            repeatShare: section.value("repeatShare", .share) ?? 0,
            durationTolerance: section.value("durationTolerance", .duration(.zero ... .seconds(60)))
                ?? .milliseconds(100),
            adTolerance: section.value("adTolerance", .duration(.zero ... .seconds(60))) ?? Self.usualAdTolerance
        )
    }
}
