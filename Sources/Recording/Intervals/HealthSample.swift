/// The generator's own state over one second.
package struct HealthSample: Equatable, Codable, Sendable {
    /// End of the second, in microseconds since the Unix epoch.
    package var wallMicroseconds: Int64
    /// The longest any loop kept a due timer waiting.
    package var loopDelayMicroseconds: Int64
    /// Processor time spent per second of wall time: 1.0 is one core fully used.
    package var cpuCores: Double
    package var residentBytes: Int64
    package var openDescriptors: Int
    /// Requests sent later than planned by more than the budget allows.
    package var lateStarts: Int
    /// Requests planned and never sent.
    package var droppedStarts: Int
    /// The machine's load average over one minute.
    package var loadAverage: Double
    /// Of the generator's own threads; nil where the kernel does not tell, and in journals of versions without it.
    package var generatorWait: CoreWait?
    /// Of the embedded origin's; nil too where the target is another.
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
