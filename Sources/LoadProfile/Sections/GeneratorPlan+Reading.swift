extension GeneratorPlan {
    init(reading section: ProfileSection) {
        self.init(
            loops: section.value("loops", .integer(1...256)),
            maximumLateness: section.value("maximumLateness", .duration(.milliseconds(1) ... .seconds(60)))
                ?? .milliseconds(100),
            maximumLoopDelay: section.value("maximumLoopDelay", .duration(.milliseconds(1) ... .seconds(60)))
                ?? .milliseconds(500),
            ownMaximumHandling: section.value("maximumHandling", .duration(.milliseconds(1) ... .seconds(60))),
            maximumCoreWait: section.value("maximumCoreWait", .duration(.milliseconds(1) ... .seconds(60)))
                ?? Self.usualCoreWait,
            maximumResidentBytes: section.value("maximumMemory", .size((64 << 20)...(1 << 40))) ?? 4 << 30,
            bodyMemoryBytes: section.value("bodyMemory", .size((1 << 20)...(1 << 40))) ?? Self.usualBodyMemory,
            spin: section.value("spin", .duration(.zero ... .milliseconds(1))) ?? .zero,
            slot: section.value("slot", .duration(.zero ... .milliseconds(100))) ?? Self.usualSlot
        )
    }
}
