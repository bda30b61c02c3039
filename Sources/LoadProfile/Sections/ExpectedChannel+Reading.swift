extension ExpectedChannel {
    package static let targetDurations = Duration.seconds(1) ... .seconds(60)
    package static let breakIntervals = Duration.seconds(1) ... .seconds(86_400)
    package static let breakDurations = Duration.seconds(1) ... .seconds(3_600)

    init(reading section: ProfileSection) {
        self.init(
            targetDuration: section.value("targetDuration", .duration(Self.targetDurations)),
            breakInterval: section.value("breakInterval", .duration(Self.breakIntervals)),
            breakOffset: section.value("breakOffset", .duration(.zero ... .seconds(86_400))),
            breakDuration: section.value("breakDuration", .duration(Self.breakDurations)),
            adDuration: section.value("adDuration", .duration(Self.breakDurations))
        )
    }
}
