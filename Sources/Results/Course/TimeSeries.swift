package import Rules
import Values

package struct SeriesPoint: Equatable, Codable, Sendable {
    package var startMilliseconds: Int64
    package var requests: UInt64
    package var errors: UInt64
    package var podRequests: UInt64
    package var findings: UInt64
    package var activeViewers: Int64
    package var latenessMaximumMicroseconds: Int64
    package var loopDelayMaximumMicroseconds: Int64
    package var cpuCores: Double
    package var residentBytes: Int64
    package var openDescriptors: Int
    package var droppedStarts: Int
    package var generatorWaitMaximumMicroseconds: Int64?
    package var originWaitMaximumMicroseconds: Int64?
    package var course: SeriesCourse?

    package init(startMilliseconds: Int64, counts: IntervalCounts, health: HealthSample, course: SeriesCourse? = nil) {
        (self.startMilliseconds, self.course) = (startMilliseconds, course)
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

    /// `levelsOnly`: the other's last step, in place of a missing one.
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

/// Course of a run by seconds; at the limit, neighbouring steps are joined.
package struct TimeSeries: Equatable, Codable, Sendable, CheckedWhenRead {
    package static let standardLimit = 7_200

    package let limit: Int
    /// The last step may still grow.
    package private(set) var stepSeconds = 1
    package private(set) var points: [SeriesPoint] = []
    private var lastSeconds = 0

    package init(limit: Int = standardLimit) { self.limit = max(2, limit) }

    package mutating func append(_ point: SeriesPoint) {
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

    /// Nothing may be appended afterwards; a step missing while a machine stood still has the levels of the last one.
    package mutating func addInParallel(_ other: TimeSeries) {
        var step = max(stepSeconds, other.stepSeconds)
        var sum = Self.sum(of: Self.regrouped(points, into: step), Self.regrouped(other.points, into: step), step)
        while sum.count > limit, step < 1 << 40 {
            step *= 2
            sum = Self.regrouped(sum, into: step)
        }
        (points, stepSeconds, lastSeconds) = (Array(sum.prefix(limit)), step, sum.isEmpty ? 0 : step)
    }

    /// Seconds begin slightly after the whole second.
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

    package var problem: String? {
        let isSound =
            limit >= 2 && points.count <= limit && (1..<1 << 40).contains(stepSeconds)
            && (0...stepSeconds).contains(lastSeconds) && points.isEmpty == (lastSeconds == 0)
        return isSound ? nil : "no series"
    }
}

/// Counts of one step; nil in place of zero, which is omitted: a run has thousands of steps.
package struct SeriesCourse: Summable, Equatable, Codable, Sendable {
    package var requests: [String: UInt64]?
    package var errors: [String: UInt64]?
    package var retries: UInt64?
    package var playersStopped: UInt64?
    package var playersClosed: UInt64?
    package var abandoned: UInt64?
    package var reopened: UInt64?
    package var lost: UInt64?

    package func requests(of kinds: [RequestKind]) -> UInt64 { kinds.reduce(0) { $0 &+ (requests?[$1.name] ?? 0) } }

    package func errors(of kinds: [RequestKind]) -> UInt64 { kinds.reduce(0) { $0 &+ (errors?[$1.name] ?? 0) } }

    package mutating func add(_ other: SeriesCourse) {
        if requests?.merge(other.requests ?? [:], uniquingKeysWith: &+) == nil { requests = other.requests }
        if errors?.merge(other.errors ?? [:], uniquingKeysWith: &+) == nil { errors = other.errors }
        for (count, _) in Self.counters {
            if let theirs = other[keyPath: count] { self[keyPath: count] = (self[keyPath: count] ?? 0) &+ theirs }
        }
    }

    fileprivate static let counters: [(any WritableKeyPath<SeriesCourse, UInt64?> & Sendable, ViewerCounter)] = [
        (\.retries, .retries), (\.playersStopped, .playersStopped), (\.playersClosed, .playersClosed),
        (\.abandoned, .abandoned), (\.reopened, .reopened), (\.lost, .lost),
    ]
}

extension SeriesCourse {
    init(_ interval: RunInterval) {
        var (requests, errors): ([String: UInt64], [String: UInt64]) = ([:], [:])
        for (kind, tally) in interval.sums.requests.tallies() {
            let cutOff = interval.sums.requests.count(kind) { $0 == .failure(.abandoned) }
            guard tally.count > cutOff else { continue }
            requests[kind.name] = tally.count - cutOff
            if tally.errors > 0 { errors[kind.name] = tally.errors }
        }
        if !requests.isEmpty { self.requests = requests }
        if !errors.isEmpty { self.errors = errors }
        for (count, counter) in Self.counters where interval.sums.viewers[counter] > 0 {
            self[keyPath: count] = interval.sums.viewers[counter]
        }
    }
}

package struct SeriesResult: Equatable, Codable, Sendable {
    package var stepSeconds: Int
    package var points: [SeriesPoint]

    init(_ series: TimeSeries) {
        stepSeconds = series.stepSeconds
        points = series.points
    }

    /// Present viewers whose player gave up, at the end of each step.
    package var stoppedViewers: [UInt64] { levels { ($0.playersStopped ?? 0, $0.playersClosed ?? 0) } }

    /// Viewers that will open the application again, at the end of each step.
    package var comingBack: [UInt64] { levels { ($0.abandoned ?? 0, ($0.reopened ?? 0) &+ ($0.lost ?? 0)) } }

    private func levels(_ flow: (SeriesCourse) -> (UInt64, UInt64)) -> [UInt64] {
        var (come, gone): (UInt64, UInt64) = (0, 0)
        return points.map { point in
            let step = point.course.map(flow) ?? (0, 0)
            come &+= step.0
            gone &+= step.1
            return come &- min(come, gone)
        }
    }
}
