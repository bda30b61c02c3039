import Values

package enum CurveShape: String, Sendable, CaseIterable {
    case plateau, steps
    case kickOff = "kick-off"
    case halfTime = "half-time"
    case breakingNews = "breaking-news"
    case overtime

    package var parameters: [String] {
        switch self {
        case .plateau: ["join", "fall", "left"]
        case .steps: ["step", "every", "join"]
        case .kickOff: ["before", "join", "at", "rise"]
        case .halfTime: ["join", "at", "fall", "hold", "rise", "left"]
        case .breakingNews, .overtime: ["before", "join", "at", "rise", "hold", "fall", "left"]
        }
    }

    /// Defaults are published values, shortened for a short run.
    ///
    /// Points may be out of order or after the end of the run if the given parameters do not fit.
    package func points(_ given: CurveParameters = CurveParameters(), over run: Duration) -> [CurvePoint] {
        let surge: (before: Double, at: Duration, rise: Duration, hold: Duration, fall: Duration, left: Double)
        switch self {
        case .plateau:
            let join = given.join ?? time(Published.gradualJoin, atMost: 1 / 4, of: run)
            let risen = line((.zero, 0), (join, 1))
            guard let fall = given.fall, fall > .zero else { return risen }
            return risen + line((run - fall, 1), (run, given.left ?? 0))
        case .steps:
            let step = given.step ?? Published.step
            let count = Int((1 / step - 1e-9).rounded(.up))
            let every = given.every ?? time(Published.stepEvery, atMost: 1 / Double(count), of: run)
            let join = given.join ?? min(Assumed.stepJoin, every)
            return (0..<count).flatMap { number -> [CurvePoint] in
                let (at, share) = (every * number, step * Double(number))
                return line((at, share), (at + join, min(1, share + step)))
            }
        case .kickOff:
            let before = given.before ?? Published.beforeKickOff
            let gathering = time(Published.gradualJoin, before, atMost: 1 / 4, of: run)
            let at = given.at ?? given.join ?? gathering
            let join = given.join ?? min(gathering, at)
            let rise = given.rise ?? time(Published.suddenJoin, 1 - before, atMost: 1 / 4, of: run)
            return line((.zero, 0), (join, before), (at, before), (at + rise, 1))
        case .halfTime:
            let left = given.left ?? Assumed.leftAtHalfTime
            let at = given.at ?? time(Published.half, atMost: 2 / 5, of: run)
            let join = given.join ?? min(time(Published.gradualJoin, atMost: 1 / 8, of: run), at)
            let fall = given.fall ?? time(Assumed.leavingForHalfTime, atMost: 1 / 20, of: run)
            let hold = given.hold ?? time(Published.interval, atMost: 1 / 5, of: run)
            let rise = given.rise ?? time(Published.suddenJoin, 1 - left, atMost: 1 / 20, of: run)
            let end = at + hold
            return line((.zero, 0), (join, 1), (at, 1), (at + fall, left), (end, left), (end + rise, 1))
        case .breakingNews:
            let before = given.before ?? Published.beforeNews
            let at = given.at ?? time(run, atMost: 1 / 4, of: run)
            let rise = given.rise ?? time(Published.suddenJoin, 1 - before, atMost: 1 / 8, of: run)
            let hold = given.hold ?? time(Published.peak, atMost: 1 / 4, of: run)
            let fall = given.fall ?? max(run - at - rise - hold, .zero)
            surge = (before, at, rise, hold, fall, given.left ?? Assumed.leftAfterNews)
        case .overtime:
            let before = given.before ?? Published.beforeOvertime
            let at = given.at ?? time(run, atMost: 1 / 2, of: run)
            let rise = given.rise ?? time(Published.lateJoin, 1 - before, atMost: 1 / 8, of: run)
            let hold = given.hold ?? time(Published.extraTime, atMost: 1 / 4, of: run)
            let fall = given.fall ?? time(Assumed.leavingAtTheEnd, atMost: 1 / 16, of: run)
            surge = (before, at, rise, hold, fall, given.left ?? Published.leftAfterTheEnd)
        }
        let join = given.join ?? min(time(Published.gradualJoin, surge.before, atMost: 1 / 8, of: run), surge.at)
        let (top, end) = (surge.at + surge.rise, surge.at + surge.rise + surge.hold)
        let gathered = line((.zero, 0), (join, surge.before), (surge.at, surge.before))
        return gathered + line((top, 1), (end, 1), (end + surge.fall, surge.left))
    }

    /// At most a part of the run, in whole milliseconds.
    private func time(_ whole: Duration, _ share: Double = 1, atMost part: Double, of run: Duration) -> Duration {
        .milliseconds(min(whole * share, run * part).millisecondsHeld)
    }

    private func line(_ points: (at: Duration, share: Double)...) -> [CurvePoint] {
        points.map { CurvePoint(at: $0.at, share: $0.share) }
    }
}

/// Nil means the shape's default.
package struct CurveParameters: Sendable, Equatable {
    package var before: Double?
    package var join: Duration?
    package var at: Duration?
    package var rise: Duration?
    package var hold: Duration?
    package var fall: Duration?
    package var left: Double?
    package var step: Double?
    package var every: Duration?

    package init() {}
}

/// Published audience figures.
///
/// AWS: "Test your implementation for CDN and MediaTailor integrations", AWS Elemental MediaTailor user guide. Hotstar: its
/// engineers' talks on 10 July 2019, India against New Zealand, as reported by others. Law 7: Laws of the Game, IFAB.
private enum Published {
    /// AWS: 10 to 20 % of the peak every five minutes; at the faster pace all join in 25 minutes.
    static let gradualJoin = Duration.seconds(25 * 60)
    static let step = 0.2
    static let stepEvery = Duration.seconds(5 * 60)
    /// AWS: half of the peak within 60 s.
    static let suddenJoin = Duration.seconds(2 * 60)
    static let beforeKickOff = 0.5
    /// AWS: the peak lasts 30 to 60 minutes.
    static let peak = Duration.seconds(30 * 60)
    /// Hotstar: 1.1 million a minute of 25.3 million.
    static let lateJoin = Duration.seconds(23 * 60)
    /// Hotstar: from 1.5 million to 15 when the favourites come on, 25.3 as it becomes close, below one when it is lost.
    static let (beforeNews, beforeOvertime, leftAfterTheEnd) = (0.1, 0.6, 0.04)
    /// Law 7.
    static let (half, interval, extraTime) = (Duration.seconds(45 * 60), Duration.seconds(900), Duration.seconds(1_800))
}

private enum Assumed {
    static let stepJoin = Duration.seconds(10)
    static let (leftAtHalfTime, leftAfterNews) = (0.6, 0.3)
    static let leavingForHalfTime = Duration.seconds(60)
    static let leavingAtTheEnd = Duration.seconds(3 * 60)
}
