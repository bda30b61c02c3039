import Rules

/// Period of a run in which the channel could not be loaded, and its recovery.
///
/// A step is bad if at least half of its requests for playlists failed, good if it is not bad and any was answered. An
/// outage lasts to the end of the last bad step, over less than ten seconds of good ones, if as many requests failed as
/// half of the viewers present. Recovery needs ten seconds of good steps with service as in the half minute before; errors
/// may have its share or 1 %, and each viewer present or coming back gets nine tenths of its playlists.
package struct OutageResult: Equatable, Codable, Sendable {
    package var beganMilliseconds: Int64
    package var endedMilliseconds: Int64
    package var requests: UInt64
    package var errors: UInt64
    package var retries: UInt64
    package var abandoned: UInt64
    package var reopened: UInt64
    package var stoppedViewersMaximum: UInt64
    package var requestsPerSecondBefore: Double?
    package var requestsPerSecondMaximum: Double
    package var recoveryMilliseconds: Int64?

    package static func all(in series: SeriesResult) -> [OutageResult]? {
        let reader = OutageReader(series)
        let stretches = reader.stretches()
        let limits = stretches.dropFirst().map(\.lowerBound) + [series.points.count]
        let outages = zip(stretches, limits).map { reader.result($0, before: $1) }
        return outages.isEmpty ? nil : outages
    }
}

private struct OutageReader {
    private static let channel: [RequestKind] = [.multivariant, .playlist, .blockingPlaylist]
    private static let polls: [RequestKind] = [.playlist, .blockingPlaylist]
    /// Milliseconds of good steps that end an outage.
    private static let pause: Int64 = 10_000
    /// Milliseconds for which service must be as before.
    private static let proof: Int64 = 10_000
    private static let before: Int64 = 30_000
    private static let usualErrors = 0.01
    private static let usualPolls = 0.9

    private let points: [SeriesPoint]
    private let stoppedViewers: [UInt64]
    private let comingBack: [UInt64]
    private let step: Int64

    init(_ series: SeriesResult) {
        points = series.points
        stoppedViewers = series.stoppedViewers
        comingBack = series.comingBack
        step = Int64(max(series.stepSeconds, 1)) &* 1_000
    }

    /// Steps may be further apart than they are long.
    private func end(of index: Int) -> Int64 {
        let usual = points[index].startMilliseconds &+ step
        return index + 1 < points.count ? max(points[index + 1].startMilliseconds, usual) : usual
    }

    private func isBad(_ point: SeriesPoint) -> Bool {
        guard let course = point.course else { return false }
        let errors = course.errors(of: Self.channel)
        return errors > 0 && errors &* 2 >= course.requests(of: Self.channel)
    }

    private func isGood(_ point: SeriesPoint) -> Bool {
        guard let course = point.course, !isBad(point) else { return false }
        return course.requests(of: Self.channel) > course.errors(of: Self.channel)
    }

    private func good(_ steps: Range<Int>) -> Int64 {
        steps.reduce(0) { isGood(points[$1]) ? $0 &+ end(of: $1) &- points[$1].startMilliseconds : $0 }
    }

    func stretches() -> [ClosedRange<Int>] {
        var stretches: [ClosedRange<Int>] = []
        for index in points.indices where isBad(points[index]) {
            if let last = stretches.last, good(last.upperBound + 1..<index) < Self.pause {
                stretches[stretches.count - 1] = last.lowerBound...index
            } else {
                stretches.append(index...index)
            }
        }
        return stretches.filter { stretch in
            let errors = points[stretch].reduce(0) { $0 &+ ($1.course?.errors(of: Self.channel) ?? 0) }
            let (first, before) = (points[stretch.lowerBound], points[max(0, stretch.lowerBound - 1)])
            let viewers = max(first.activeViewers, before.activeViewers)
            return errors &* 2 >= UInt64(clamping: viewers)
        }
    }

    func result(_ stretch: ClosedRange<Int>, before limit: Int) -> OutageResult {
        let earlier = figures(of: earlier(than: stretch))
        let ended = end(of: stretch.upperBound)
        let recovered = (stretch.upperBound + 1..<limit).first { isAsBefore(from: $0, until: limit, earlier) }
        let bad = points[stretch]
        let steps = stretch.lowerBound..<(recovered ?? limit)
        let whole = points[steps]
        return OutageResult(
            beganMilliseconds: points[stretch.lowerBound].startMilliseconds,
            endedMilliseconds: ended,
            requests: bad.reduce(0) { $0 &+ $1.requests },
            errors: bad.reduce(0) { $0 &+ $1.errors },
            retries: whole.reduce(0) { $0 &+ ($1.course?.retries ?? 0) },
            abandoned: whole.reduce(0) { $0 &+ ($1.course?.abandoned ?? 0) },
            reopened: whole.reduce(0) { $0 &+ ($1.course?.reopened ?? 0) },
            stoppedViewersMaximum: stoppedViewers[steps].max() ?? 0,
            requestsPerSecondBefore: earlier.requestsPerSecond,
            requestsPerSecondMaximum: Double(whole.map(\.requests).max() ?? 0) * 1_000 / Double(step),
            recoveryMilliseconds: recovered.map { max(0, points[$0].startMilliseconds &- ended) }
        )
    }

    /// Half minute before, without steps of another outage.
    private func earlier(than stretch: ClosedRange<Int>) -> Range<Int> {
        let from = points[stretch.lowerBound].startMilliseconds &- Self.before
        var first = stretch.lowerBound
        while first > 0, points[first - 1].startMilliseconds >= from, !isBad(points[first - 1]) { first -= 1 }
        return first..<stretch.lowerBound
    }

    private func isAsBefore(from index: Int, until limit: Int, _ earlier: Figures) -> Bool {
        guard isGood(points[index]) else { return false }
        var (next, proved): (Int, Int64) = (index, 0)
        while proved < Self.proof {
            guard next < limit else { return false }
            proved &+= good(next..<next + 1)
            next += 1
        }
        let now = figures(of: index..<next)
        guard now.errorShare <= max(earlier.errorShare, Self.usualErrors) else { return false }
        guard let polls = earlier.pollsPerViewer else { return true }
        return now.pollsPerViewer.map { $0 >= polls * Self.usualPolls } ?? true
    }

    /// Polls are per second; nil without viewers.
    private typealias Figures = (errorShare: Double, pollsPerViewer: Double?, requestsPerSecond: Double?)

    private func figures(of steps: Range<Int>) -> Figures {
        let requests = points[steps].reduce(0) { $0 &+ $1.requests }
        let errors = points[steps].reduce(0) { $0 &+ $1.errors }
        let seconds = Double(step) / 1_000
        let watched = steps.reduce(0.0) { $0 + (Double(points[$1].activeViewers) + Double(comingBack[$1])) * seconds }
        let polls = points[steps].compactMap(\.course).reduce(0.0) {
            $0 + Double($1.requests(of: Self.polls)) - Double($1.errors(of: Self.polls))
        }
        return (
            errorShare: requests == 0 ? 0 : Double(errors) / Double(requests),
            pollsPerViewer: watched > 0 ? polls / watched : nil,
            requestsPerSecond: steps.isEmpty ? nil : Double(requests) / (Double(steps.count) * seconds)
        )
    }
}
