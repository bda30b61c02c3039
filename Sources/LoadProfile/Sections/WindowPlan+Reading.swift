extension WindowPlan {
    init(reading section: ProfileSection) {
        self.init(
            length: section.value("length", .duration(.seconds(1) ... .seconds(86_400))),
            warmUp: section.value("warmUp", .duration(.zero ... .seconds(2_592_000))),
            failsOnDrift: section.value("failOnDrift", .boolean)
        )
    }
}
