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

    package static let usual = GeneratorPlan()

    package static func fields(_ f: inout FieldTable<Self>) {
        let delay = ScalarRule<Duration>.duration(.milliseconds(1) ... .seconds(60))
        f["loops", \.loops, .integer(1...mostLoops)] = "Event loops; one per core if left out."
        f["maximumLateness", \.maximumLateness, delay] = "99th percentile of planned-to-sent over polls."
        f["maximumLoopDelay", \.maximumLoopDelay, delay] = "Longest delay of an event loop."
        f["maximumHandling", \.ownMaximumHandling, delay] =
            "99th percentile of the time from an answer's last byte to its reading, for each request kind; "
            + "maximumLoopDelay if left out."
        f["maximumCoreWait", \.maximumCoreWait, delay, .unlessUsual] =
            "How much of a second a thread of podswarm or of the embedded origin may wait for a core."
        f["maximumMemory", \.maximumResidentBytes, .size((64 << 20)...(1 << 40))] = "Largest resident memory."
        f["bodyMemory", \.bodyMemoryBytes, .size((1 << 20)...(1 << 40)), .unlessUsual] =
            "Memory for all bodies that arrive at one time; an answer that needs more ends as local_resources, which limits the run and not the target."
        f["spin", \.spin, .duration(.zero ... .milliseconds(1)), .unlessUsual] =
            "The last moments before each planned send that are spun instead of slept; at most 1ms."
        f["slot", \.slot, .duration(.zero ... .milliseconds(100)), .unlessUsual] =
            "Polls leave together at whole multiples of it; at most 100ms. At 0s each leaves at its own instant."
    }
}
