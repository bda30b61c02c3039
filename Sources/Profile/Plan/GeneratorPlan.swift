/// The generator's event loops, and the limits past which a run is client-limited.
package struct GeneratorPlan: Sendable, Equatable, ProfileFields {
    package var loops: Int? = nil
    package var maximumLateness = Duration.milliseconds(100)
    package var maximumLoopDelay = Duration.milliseconds(500)
    package var ownMaximumHandling: Duration? = nil
    package var maximumCoreWait = Duration.milliseconds(400)
    package var maximumResidentBytes = 4 << 30
    package var bodyMemoryBytes = 256 << 20
    package var spin = Duration.zero
    /// Half the CPU of a paced poll (`lateness` of the benchmarks), too short to matter to a player's poll.
    package var slot = Duration.milliseconds(1)

    /// A loop that fires its timers late reads its answers as late.
    package var maximumHandling: Duration { ownMaximumHandling ?? maximumLoopDelay }

    /// Each loop keeps a thread, of 255 that libdispatch has for them (`DISPATCH_WORKQ_MAX_PTHREAD_COUNT`): one without would
    /// never begin.
    package static let mostLoops = 240

    package static let fields = FieldList(GeneratorPlan()) { f in
        let delay = ScalarRule<Duration>.duration(.milliseconds(1) ... .seconds(60))
        f.add("loops", \.loops, .integer(1...mostLoops))
        f.add("maximumLateness", \.maximumLateness, delay)
        f.add("maximumLoopDelay", \.maximumLoopDelay, delay)
        f.add("maximumHandling", \.ownMaximumHandling, delay)
        f.add("maximumCoreWait", \.maximumCoreWait, delay, .unlessUsual)
        f.add("maximumMemory", \.maximumResidentBytes, .size((64 << 20)...(1 << 40)))
        f.add("bodyMemory", \.bodyMemoryBytes, .size((1 << 20)...(1 << 40)), .unlessUsual)
        f.add("spin", \.spin, .duration(.zero ... .milliseconds(1)), .unlessUsual)
        f.add("slot", \.slot, .duration(.zero ... .milliseconds(100)), .unlessUsual)
    }
}
