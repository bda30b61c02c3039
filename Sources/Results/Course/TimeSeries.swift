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
    package var generatorWaitMaximumMicroseconds: Int64?
    package var originWaitMaximumMicroseconds: Int64?
    /// Requests and errors by kind; nil in results of earlier versions.
    package var course: SeriesCourse?

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
        generatorWaitMaximumMicroseconds = health.generatorWait?.threadWaitedMicroseconds
        originWaitMaximumMicroseconds = health.originWait?.threadWaitedMicroseconds
    }

    /// Adds the same step of another process; with `levelsOnly`, that process's last step, which stands in for a missing one.
    fileprivate mutating func addInParallel(_ other: SeriesPoint, levelsOnly: Bool) {
        activeViewers &+= other.activeViewers
        residentBytes &+= other.residentBytes
        openDescriptors &+= other.openDescriptors
        guard !levelsOnly else { return }
        addCounts(other)
        cpuCores += other.cpuCores
        startMilliseconds = min(startMilliseconds, other.startMilliseconds)
    }

    mutating func absorb(_ next: SeriesPoint) {
        addCounts(next)
        activeViewers = next.activeViewers
        cpuCores = max(cpuCores, next.cpuCores)
        residentBytes = max(residentBytes, next.residentBytes)
        openDescriptors = max(openDescriptors, next.openDescriptors)
    }

    /// Adds everything that does not depend on whether the other step is at the same time or a later one.
    private mutating func addCounts(_ other: SeriesPoint) {
        course.add(other.course)
        requests &+= other.requests
        errors &+= other.errors
        podRequests &+= other.podRequests
        findings &+= other.findings
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, other.latenessMaximumMicroseconds)
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, other.loopDelayMaximumMicroseconds)
        droppedStarts &+= other.droppedStarts
        generatorWaitMaximumMicroseconds =
            [generatorWaitMaximumMicroseconds, other.generatorWaitMaximumMicroseconds].compactMap(\.self).max()
        originWaitMaximumMicroseconds =
            [originWaitMaximumMicroseconds, other.originWaitMaximumMicroseconds].compactMap(\.self).max()
    }
}

/// Course of a run by seconds, in limited memory.
///
/// At the limit, neighbours are joined and each step lasts twice as long, without losing counts.
package struct TimeSeries: Equatable, Codable, Sendable {
    package static let standardLimit = 7_200

    package let limit: Int
    /// Length of a step; the last step may still grow.
    package private(set) var stepSeconds = 1
    package private(set) var points: [SeriesPoint] = []
    private var lastSeconds = 0

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
        if points.count == limit, lastSeconds == stepSeconds { coarsen() }
        if lastSeconds > 0, lastSeconds < stepSeconds {
            points[points.count - 1].absorb(point)
            lastSeconds += 1
        } else {
            points.append(point)
            lastSeconds = 1
        }
    }

    private mutating func coarsen() {
        let wasOdd = points.count % 2 == 1
        points = stride(from: 0, to: points.count, by: 2).map { index in
            var joined = points[index]
            if index + 1 < points.count { joined.absorb(points[index + 1]) }
            return joined
        }
        lastSeconds = wasOdd ? lastSeconds : lastSeconds + stepSeconds
        stepSeconds *= 2
    }
}

extension TimeSeries {
    /// Adds another process over the same time, in the longer of the two steps.
    ///
    /// If one process lacks a step because its machine stood still, viewers, memory and descriptors of its last step continue
    /// to count. Nothing may be appended afterwards.
    package mutating func addInParallel(_ other: TimeSeries) {
        var step = max(stepSeconds, other.stepSeconds)
        var sum = Self.sum(of: Self.regrouped(points, into: step), Self.regrouped(other.points, into: step), step)
        while sum.count > limit, step < 1 << 40 {
            step *= 2
            sum = Self.regrouped(sum, into: step)
        }
        (points, stepSeconds, lastSeconds) = (Array(sum.prefix(limit)), step, sum.isEmpty ? 0 : step)
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

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(limit: try values.decode(Int.self, forKey: .limit))
        stepSeconds = try values.count(.stepSeconds)
        points = try values.decode([SeriesPoint].self, forKey: .points)
        lastSeconds = try values.count(.lastSeconds)
        guard stepSeconds > 0, stepSeconds < 1 << 40, points.count <= limit,
            lastSeconds <= stepSeconds, points.isEmpty == (lastSeconds == 0)
        else {
            throw DecodingError.dataCorruptedError(forKey: .points, in: values, debugDescription: "no series")
        }
    }
}
