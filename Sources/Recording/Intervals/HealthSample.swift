package struct HealthSample: Equatable, Codable, Sendable {
    /// End of the second, in microseconds since the Unix epoch.
    package var wallMicroseconds: Int64
    /// Longest delay of a due timer on any loop.
    package var loopDelayMicroseconds: Int64
    /// CPU time per second of wall time: 1.0 is one core fully used.
    package var cpuCores: Double
    package var residentBytes: Int64
    package var openDescriptors: Int
    /// Requests sent later than planned by more than the budget allows.
    package var lateStarts: Int
    /// Requests planned and never sent.
    package var droppedStarts: Int
    package var loadAverage: Double
    /// Nil if the kernel does not report it, and in journals of earlier versions.
    package var generatorWait: CoreWait?
    /// Nil also if the target is not the embedded origin.
    package var originWait: CoreWait?

    package init(
        wallMicroseconds: Int64,
        loopDelayMicroseconds: Int64 = 0,
        cpuCores: Double = 0,
        residentBytes: Int64 = 0,
        openDescriptors: Int = 0,
        lateStarts: Int = 0,
        droppedStarts: Int = 0,
        loadAverage: Double = 0,
        generatorWait: CoreWait? = nil,
        originWait: CoreWait? = nil
    ) {
        self.wallMicroseconds = wallMicroseconds
        self.loopDelayMicroseconds = loopDelayMicroseconds
        self.cpuCores = cpuCores
        self.residentBytes = residentBytes
        self.openDescriptors = openDescriptors
        self.lateStarts = lateStarts
        self.droppedStarts = droppedStarts
        self.loadAverage = loadAverage
        self.generatorWait = generatorWait
        self.originWait = originWait
    }
}

/// Run time of the threads of one process, and their waiting time for a core, in one second.
///
/// For a longer interval, the means per second; a shorter one counts as a whole second.
package struct CoreWait: Equatable, Codable, Sendable {
    /// Over all threads.
    package var ranMicroseconds: Int64
    /// Over all threads; 1,000,000 is one thread that waited all the time.
    package var waitedMicroseconds: Int64
    package var threadWaitedMicroseconds: Int64

    package init(ranMicroseconds: Int64, waitedMicroseconds: Int64, threadWaitedMicroseconds: Int64) {
        self.ranMicroseconds = ranMicroseconds
        self.waitedMicroseconds = waitedMicroseconds
        self.threadWaitedMicroseconds = threadWaitedMicroseconds
    }
}
