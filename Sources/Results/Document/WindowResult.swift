/// Figures of one window of a run, with minimum and maximum of the generator's resources.
///
/// Windows follow one another without gaps; the counts of all windows add up to the run's.
package struct WindowResult: Equatable, Codable, Sendable {
    /// One request kind; kinds without requests are omitted.
    package struct Requests: Equatable, Codable, Sendable {
        package var count: UInt64
        package var errors: UInt64
        /// At two significant digits; nil without samples.
        package var lateness: LatencyResult?
        package var service: LatencyResult?
        package var response: LatencyResult?

        package init(
            count: UInt64,
            errors: UInt64,
            lateness: LatencyResult? = nil,
            service: LatencyResult? = nil,
            response: LatencyResult? = nil
        ) {
            self.count = count
            self.errors = errors
            self.lateness = lateness
            self.service = service
            self.response = response
        }
    }

    /// Offsets from the start of the run.
    package var startMilliseconds: Int64
    package var endMilliseconds: Int64
    /// Whether the window lies in the warm-up, which is not judged.
    package var isWarmUp: Bool
    /// False for a window in which the run ended.
    package var isComplete: Bool
    package var requests: [String: Requests]
    /// Breaks that began in this window, without those past the limit; nil in results of earlier versions.
    package var breaks: Int?
    /// Outcomes of breaks that began in this window, as of the end of the run.
    package var due: UInt64
    package var onTime: UInt64
    package var late: UInt64
    package var failed: UInt64
    package var viewers: [String: UInt64]
    package var findings: UInt64
    package var activeViewers: Int64
    /// Age of the live edge at each new playlist; nil without EXT-X-PROGRAM-DATE-TIME.
    package var liveEdgeAge: LatencyResult?
    package var residentBytesMinimum: Int64
    package var residentBytesMaximum: Int64
    package var openDescriptorsMinimum: Int
    package var openDescriptorsMaximum: Int
    package var cpuCoresMean: Double
    package var loopDelayMaximumMicroseconds: Int64
    package var droppedStarts: Int

    package init(
        startMilliseconds: Int64,
        endMilliseconds: Int64,
        isWarmUp: Bool = false,
        isComplete: Bool = true,
        requests: [String: Requests] = [:],
        breaks: Int? = nil,
        due: UInt64 = 0,
        onTime: UInt64 = 0,
        late: UInt64 = 0,
        failed: UInt64 = 0,
        viewers: [String: UInt64] = [:],
        findings: UInt64 = 0,
        activeViewers: Int64 = 0,
        liveEdgeAge: LatencyResult? = nil,
        residentBytesMinimum: Int64 = 0,
        residentBytesMaximum: Int64 = 0,
        openDescriptorsMinimum: Int = 0,
        openDescriptorsMaximum: Int = 0,
        cpuCoresMean: Double = 0,
        loopDelayMaximumMicroseconds: Int64 = 0,
        droppedStarts: Int = 0
    ) {
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.isWarmUp = isWarmUp
        self.isComplete = isComplete
        self.requests = requests
        self.breaks = breaks
        self.due = due
        self.onTime = onTime
        self.late = late
        self.failed = failed
        self.viewers = viewers
        self.findings = findings
        self.activeViewers = activeViewers
        self.liveEdgeAge = liveEdgeAge
        self.residentBytesMinimum = residentBytesMinimum
        self.residentBytesMaximum = residentBytesMaximum
        self.openDescriptorsMinimum = openDescriptorsMinimum
        self.openDescriptorsMaximum = openDescriptorsMaximum
        self.cpuCoresMean = cpuCoresMean
        self.loopDelayMaximumMicroseconds = loopDelayMaximumMicroseconds
        self.droppedStarts = droppedStarts
    }
}
