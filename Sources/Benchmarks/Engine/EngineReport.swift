import Values

/// The last line of an engine child's output, as JSON.
struct EngineReport: Codable {
    var requests = 0
    var failures = 0
    /// Playlists that were new to the process, and answers equal to a known one.
    var bodiesParsed = 0
    var bodiesRecognised = 0
    /// Resident memory before the first viewer was made, and with every connection open and idle.
    var residentBytesBefore = 0
    var residentBytes = 0
    /// Resident memory of an audience once free memory was given back.
    var keptBytes = 0
    /// User and system time of the loop after all connections were open.
    var loopCPUMicroseconds = 0
    var loopRequests = 0
    /// Planned to sent of each request of an open loop.
    var lateness: LatenessSummary?
    /// In the order in which they were made.
    var bursts: [BurstTimes] = []
    var bareBursts: [BurstTimes] = []

    init() {}
}

/// Distribution of planned-to-sent times, in microseconds.
struct LatenessSummary: Codable {
    let median: Double
    let percentile99: Double
    let percentile999: Double
    let maximum: Double

    init?(nanoseconds: [Double]) {
        guard let median = nanoseconds.median, let percentile99 = nanoseconds.percentile(0.99),
            let percentile999 = nanoseconds.percentile(0.999), let maximum = nanoseconds.max()
        else { return nil }
        self.median = median / 1000
        self.percentile99 = percentile99 / 1000
        self.percentile999 = percentile999 / 1000
        self.maximum = maximum / 1000
    }
}

/// Send times of one burst and its last answer, in microseconds after the planned instant.
struct BurstTimes: Codable {
    let firstSend: Double
    let medianSend: Double
    let lastSend: Double
    let lastAnswer: Double

    /// nil for a burst without requests.
    init?(due: Instant, sends: [Instant], lastAnswer: Instant) {
        let after = sends.map { Double($0.nanoseconds(since: due)) / 1000 }
        guard let first = after.min(), let median = after.median, let last = after.max() else { return nil }
        firstSend = first
        medianSend = median
        lastSend = last
        self.lastAnswer = Double(lastAnswer.nanoseconds(since: due)) / 1000
    }
}
