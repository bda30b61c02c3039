package import Recording

/// One step of a run: what all loops did, and how the generator fared.
package struct SeriesPoint: Equatable, Codable, Sendable {
    /// Offset of the step's begin from the start of the run.
    package var startMilliseconds: Int64
    package var requests: UInt64
    package var errors: UInt64
    package var podRequests: UInt64
    package var findings: UInt64
    /// Viewers there at the end of the step.
    package var activeViewers: Int64
    package var latenessMaximumMicroseconds: Int64
    package var loopDelayMaximumMicroseconds: Int64
    /// The largest of the step's seconds.
    package var cpuCores: Double
    package var residentBytes: Int64
    package var openDescriptors: Int
    package var droppedStarts: Int
    /// Of the thread that waited longest for a core, in the worst of the step's seconds; nil where that is unknown.
    package var generatorWaitMicroseconds: Int64?
    package var originWaitMicroseconds: Int64?

    private enum CodingKeys: String, CodingKey {
        case startMilliseconds = "start_ms"
        case requests
        case errors
        case podRequests = "pod_requests"
        case findings
        case activeViewers = "active_viewers"
        case latenessMaximumMicroseconds = "lateness_max_us"
        case loopDelayMaximumMicroseconds = "loop_delay_max_us"
        case cpuCores = "cpu_cores"
        case residentBytes = "resident_bytes"
        case openDescriptors = "open_descriptors"
        case droppedStarts = "dropped_starts"
        case generatorWaitMicroseconds = "generator_wait_max_us"
        case originWaitMicroseconds = "origin_wait_max_us"
    }

    init(startMilliseconds: Int64, counts: IntervalCounts, health: HealthSample) {
        self.startMilliseconds = startMilliseconds
        requests = counts.requests
        errors = counts.errors
        podRequests = counts.podRequests
        findings = counts.findings
        activeViewers = counts.activeViewers
        latenessMaximumMicroseconds = counts.latenessMaximumMicroseconds
        loopDelayMaximumMicroseconds = health.loopDelayMicroseconds
        cpuCores = health.cpuCores
        residentBytes = health.residentBytes
        openDescriptors = health.openDescriptors
        droppedStarts = health.droppedStarts
        generatorWaitMicroseconds = health.generatorWait?.threadWaitedMicroseconds
        originWaitMicroseconds = health.originWait?.threadWaitedMicroseconds
    }

    mutating func absorb(_ next: SeriesPoint) {
        requests &+= next.requests
        errors &+= next.errors
        podRequests &+= next.podRequests
        findings &+= next.findings
        activeViewers = next.activeViewers
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, next.latenessMaximumMicroseconds)
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, next.loopDelayMaximumMicroseconds)
        cpuCores = max(cpuCores, next.cpuCores)
        residentBytes = max(residentBytes, next.residentBytes)
        openDescriptors = max(openDescriptors, next.openDescriptors)
        droppedStarts &+= next.droppedStarts
        generatorWaitMicroseconds = Self.larger(generatorWaitMicroseconds, next.generatorWaitMicroseconds)
        originWaitMicroseconds = Self.larger(originWaitMicroseconds, next.originWaitMicroseconds)
    }

    private static func larger(_ one: Int64?, _ other: Int64?) -> Int64? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}

/// A run second by second, within a fixed size.
///
/// Past the limit, neighbours are joined and each step lasts twice as long. No count is lost by that.
package struct TimeSeries: Equatable, Codable, Sendable {
    package static let standardLimit = 7_200

    package let limit: Int
    /// Seconds in each step; the last step may still be growing.
    package private(set) var secondsPerPoint = 1
    package private(set) var points: [SeriesPoint] = []
    private var secondsInLast = 0

    package init(limit: Int = standardLimit) {
        self.limit = max(2, limit)
    }

    /// Takes in one second.
    ///
    /// - Parameters:
    ///   - counts: The sum of all loops' pulses.
    ///   - health: The generator's health in that second.
    ///   - offsetMilliseconds: When the second began, from the start of the run.
    package mutating func append(_ counts: IntervalCounts, health: HealthSample, offsetMilliseconds: Int64) {
        let point = SeriesPoint(startMilliseconds: offsetMilliseconds, counts: counts, health: health)
        if secondsInLast > 0, secondsInLast < secondsPerPoint {
            points[points.count - 1].absorb(point)
            secondsInLast += 1
            return
        }
        if points.count == limit { coarsen() }
        if secondsInLast > 0, secondsInLast < secondsPerPoint {
            points[points.count - 1].absorb(point)
            secondsInLast += 1
        } else {
            points.append(point)
            secondsInLast = 1
        }
    }

    private mutating func coarsen() {
        let wasOdd = points.count % 2 == 1
        points = stride(from: 0, to: points.count, by: 2).map { index in
            var joined = points[index]
            if index + 1 < points.count { joined.absorb(points[index + 1]) }
            return joined
        }
        secondsInLast = wasOdd ? secondsInLast : secondsInLast + secondsPerPoint
        secondsPerPoint *= 2
    }
}

extension TimeSeries {
    private enum CodingKeys: String, CodingKey {
        case limit
        case secondsPerPoint = "step_s"
        case points
        case secondsInLast = "last_s"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(limit: try values.decode(Int.self, forKey: .limit))
        secondsPerPoint = try values.count(.secondsPerPoint)
        points = try values.decode([SeriesPoint].self, forKey: .points)
        secondsInLast = try values.count(.secondsInLast)
        guard secondsPerPoint > 0, secondsPerPoint < 1 << 40, points.count <= limit,
            secondsInLast <= secondsPerPoint, points.isEmpty == (secondsInLast == 0)
        else {
            throw DecodingError.dataCorruptedError(forKey: .points, in: values, debugDescription: "no series")
        }
    }
}
