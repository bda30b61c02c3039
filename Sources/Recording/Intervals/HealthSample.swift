package struct HealthSample: Equatable, Codable, Sendable {
    /// End of the second, in microseconds since the Unix epoch.
    package var wallMicroseconds: Int64
    /// Longest delay of a due timer on any loop.
    package var loopDelayMicroseconds: Int64 = 0
    /// CPU time per second of wall time: 1.0 is one core fully used.
    package var cpuCores: Double = 0
    package var residentBytes: Int64 = 0
    package var openDescriptors: Int = 0
    /// Requests sent later than planned by more than the budget allows.
    package var lateStarts: Int = 0
    /// Requests planned and never sent.
    package var droppedStarts: Int = 0
    package var loadAverage: Double = 0
    /// Nil if the kernel does not report it, and in journals of earlier versions.
    package var generatorWait: CoreWait?
    /// Nil also if the target is not the embedded origin.
    package var originWait: CoreWait?
}

extension HealthSample {
    package init(wallMicroseconds: Int64) { self.wallMicroseconds = wallMicroseconds }
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
