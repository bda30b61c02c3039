package import Recording

package struct SeriesPoint: Equatable, Codable, Sendable {
    /// Offset from the start of the run.
    package var startMilliseconds: Int64
    package var requests: UInt64
    package var errors: UInt64
    package var podRequests: UInt64
    package var findings: UInt64
    /// At the end of the step.
    package var activeViewers: Int64
    package var latenessMaximumMicroseconds: Int64
    package var loopDelayMaximumMicroseconds: Int64
    /// Maximum over the step's seconds.
    package var cpuCores: Double
    package var residentBytes: Int64
    package var openDescriptors: Int
    package var droppedStarts: Int
    /// Longest wait of any thread for a core in one second of the step; nil if unknown.
    package var generatorWaitMicroseconds: Int64?
    package var originWaitMicroseconds: Int64?
    /// Requests and errors by kind; nil in results of earlier versions.
    package var course: SeriesCourse?

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
        case course
    }

    init(startMilliseconds: Int64, counts: IntervalCounts, health: HealthSample, course: SeriesCourse?) {
        self.startMilliseconds = startMilliseconds
        self.course = course
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

    /// Adds the same step of another process; with `levelsOnly`, that process's last step, which stands in for a missing one.
    fileprivate mutating func addInParallel(_ other: SeriesPoint, levelsOnly: Bool) {
        activeViewers &+= other.activeViewers
        residentBytes &+= other.residentBytes
        openDescriptors &+= other.openDescriptors
        guard !levelsOnly else { return }
        if let theirs = other.course { course.add(theirs) }
        requests &+= other.requests
        errors &+= other.errors
        podRequests &+= other.podRequests
        findings &+= other.findings
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, other.latenessMaximumMicroseconds)
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, other.loopDelayMaximumMicroseconds)
        cpuCores += other.cpuCores
        droppedStarts &+= other.droppedStarts
        generatorWaitMicroseconds = Self.larger(generatorWaitMicroseconds, other.generatorWaitMicroseconds)
        originWaitMicroseconds = Self.larger(originWaitMicroseconds, other.originWaitMicroseconds)
        startMilliseconds = min(startMilliseconds, other.startMilliseconds)
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
        if let theirs = next.course { course.add(theirs) }
    }

    private static func larger(_ one: Int64?, _ other: Int64?) -> Int64? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}

/// Course of a run by seconds, in limited memory.
///
/// At the limit, neighbours are joined and each step lasts twice as long, without losing counts.
package struct TimeSeries: Equatable, Codable, Sendable {
    package static let standardLimit = 7_200

    package let limit: Int
    /// Length of a step; the last step may still grow.
    package private(set) var secondsPerPoint = 1
    package private(set) var points: [SeriesPoint] = []
    private var secondsInLast = 0

    package init(limit: Int = standardLimit) {
        self.limit = max(2, limit)
    }

    /// Adds one second that began `offsetMilliseconds` after the start of the run.
    package mutating func append(
        _ counts: IntervalCounts,
        health: HealthSample,
        offsetMilliseconds: Int64,
        course: SeriesCourse? = nil
    ) {
        let point = SeriesPoint(
            startMilliseconds: offsetMilliseconds,
            counts: counts,
            health: health,
            course: course
        )
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
    /// Adds another process over the same time, in the longer of the two steps.
    ///
    /// If one process lacks a step because its machine stood still, viewers, memory and descriptors of its last step continue
    /// to count. Nothing may be appended afterwards.
    package mutating func addInParallel(_ other: TimeSeries) {
        var step = max(secondsPerPoint, other.secondsPerPoint)
        var sum = Self.sum(of: Self.regrouped(points, into: step), Self.regrouped(other.points, into: step), step)
        while sum.count > limit, step < 1 << 40 {
            step *= 2
            sum = Self.regrouped(sum, into: step)
        }
        (points, secondsPerPoint, secondsInLast) = (Array(sum.prefix(limit)), step, sum.isEmpty ? 0 : step)
    }

    /// Index of the step that contains a point; seconds begin slightly after the whole second.
    private static func place(_ point: SeriesPoint, _ step: Int) -> Int64 {
        (point.startMilliseconds &+ 500) / (Int64(step) &* 1_000)
    }

    private static func regrouped(_ points: [SeriesPoint], into step: Int) -> [SeriesPoint] {
        points.reduce(into: []) { grouped, point in
            if let last = grouped.last, place(last, step) >= place(point, step) {
                grouped[grouped.count - 1].absorb(point)
            } else {
                grouped.append(point)
            }
        }
    }

    private static func sum(of lhs: [SeriesPoint], _ rhs: [SeriesPoint], _ step: Int) -> [SeriesPoint] {
        var (sum, left, right): ([SeriesPoint], Int, Int) = ([], 0, 0)
        while left < lhs.count || right < rhs.count {
            let places = (
                left < lhs.count ? place(lhs[left], step) : .max, right < rhs.count ? place(rhs[right], step) : .max
            )
            let isOfLeft = places.0 <= places.1
            var point = isOfLeft ? lhs[left] : rhs[right]
            if places.0 == places.1 {
                point.addInParallel(rhs[right], levelsOnly: false)
            } else if isOfLeft, right > 0, right < rhs.count {
                point.addInParallel(rhs[right - 1], levelsOnly: true)
            } else if !isOfLeft, left > 0, left < lhs.count {
                point.addInParallel(lhs[left - 1], levelsOnly: true)
            }
            left += isOfLeft ? 1 : 0
            right += places.1 <= places.0 ? 1 : 0
            sum.append(point)
        }
        return sum
    }

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
