import Audit
import EventLoop
package import HLS
package import Recording
import Rulebook
import Transport
package import Viewer

/// One second of a run, seen from outside.
package struct SwarmPulse: Sendable {
    package var counts = IntervalCounts()
    /// Viewers by phase, in the order of `ViewerMachine.Phase.allCases`.
    package var viewersByPhase = [Int](repeating: 0, count: ViewerMachine.Phase.allCases.count)
    package var requestsInFlight = 0
    /// The longest delay of a loop's timer, and the busiest loop's working time, since the last pulse.
    package var maximumTimerDelayNanoseconds: Int64 = 0
    package var busiestLoopNanoseconds: Int64 = 0
    /// Since the start of the run.
    package var lateStarts = 0
    package var droppedStarts = 0
    package var bodiesParsed = 0
    package var bodiesRecognised = 0
    /// The earliest break that a viewer waits for.
    package var nextBreakStart: WallTime?
    /// Why the run is not to be trusted; nil while it is.
    package var harnessFailure: String?
    /// The latest break that viewers were due for.
    package var latestBreak: BreakPunctuality?

    package init() {}

    mutating func add(_ part: ShardPulse) {
        self.counts = self.counts + part.counts
        for index in self.viewersByPhase.indices {
            self.viewersByPhase[index] += part.viewersByPhase[index]
        }
        self.requestsInFlight += part.requestsInFlight
        self.maximumTimerDelayNanoseconds = max(self.maximumTimerDelayNanoseconds, part.maximumTimerDelay)
        self.busiestLoopNanoseconds = max(self.busiestLoopNanoseconds, part.busy)
        self.lateStarts += part.lateStarts
        self.droppedStarts += part.droppedStarts
        self.bodiesParsed += part.bodiesParsed
        self.bodiesRecognised += part.bodiesRecognised
        self.harnessFailure = self.harnessFailure ?? part.harnessFailure
        self.latestBreak = BreakPunctuality.merged(self.latestBreak, part.latestBreak)
        self.nextBreakStart = [self.nextBreakStart, part.nextBreakStart].compactMap(\.self).min()
    }

    /// Whether no break goes on and none is near, so that what takes a millisecond holds up no request of one.
    ///
    /// - Parameters:
    ///   - now: The wall clock at the moment of the pulse.
    ///   - podRequests: Requests for pods since the last pulse.
    /// - Returns: True also where no break is known of.
    package func isQuiet(at now: WallTime, podRequests: UInt64) -> Bool {
        let isNear = self.nextBreakStart.map { $0 < now + .seconds(5) } ?? false
        return !isNear && podRequests == 0 && self.viewers(.inBreak) == 0
    }

    /// Viewers in a phase at the moment of the pulse.
    package func viewers(_ phase: ViewerMachine.Phase) -> Int {
        self.viewersByPhase[Int(phase.rawValue)]
    }
}

/// One loop's part of a pulse.
struct ShardPulse: Sendable {
    var counts = IntervalCounts()
    var viewersByPhase = [Int](repeating: 0, count: ViewerMachine.Phase.allCases.count)
    var requestsInFlight = 0
    var maximumTimerDelay: Int64 = 0
    var busy: Int64 = 0
    var lateStarts = 0
    var droppedStarts = 0
    var bodiesParsed = 0
    var bodiesRecognised = 0
    var nextBreakStart: WallTime?
    var harnessFailure: String?
    var latestBreak: BreakPunctuality?
}

extension Shard {
    /// Everything measured so far on this loop, where no interval was ever taken.
    func totals() -> LoopTotals {
        self.bookBodies()
        return self.recorder.finish()
    }

    /// What happened since the last interval, with the loop's state; walks the viewers once.
    func takeInterval() -> (pulse: ShardPulse, interval: LoopInterval) {
        self.bookBodies()
        var pulse = self.state()
        let interval = self.recorder.takeInterval()
        pulse.counts = interval.counts
        return (pulse, interval)
    }

    private func bookBodies() {
        self.recorder.count(.bodiesParsed, by: UInt64(self.auditor.library.parsed - self.bookedBodies.parsed))
        self.recorder.count(.bodiesReused, by: UInt64(self.auditor.library.recognised - self.bookedBodies.recognised))
        self.bookedBodies = (self.auditor.library.parsed, self.auditor.library.recognised)
    }

    /// What happened since the last pulse; walks the viewers once.
    func pulse() -> ShardPulse {
        var pulse = self.state()
        pulse.counts = self.recorder.pulse()
        return pulse
    }

    private func state() -> ShardPulse {
        var pulse = ShardPulse()
        // By index: a copy of each slot would retain and release all that it refers to.
        for place in self.viewers.indices {
            pulse.viewersByPhase[Int(self.viewers[place].machine.phase.rawValue)] += 1
            if let start = self.viewers[place].machine.nextBreakStart, start < (pulse.nextBreakStart ?? .distantFuture)
            {
                pulse.nextBreakStart = start
            }
        }
        let statistics = self.loop.takeStatistics()
        pulse.requestsInFlight = self.transport.inFlight
        pulse.maximumTimerDelay = statistics.maximumTimerDelay
        pulse.busy = statistics.busy
        pulse.lateStarts = self.lateStarts
        pulse.droppedStarts = self.droppedStarts
        pulse.latestBreak = self.recorder.latestPunctuality()
        pulse.harnessFailure = self.harnessFailure
        pulse.bodiesParsed = self.auditor.library.parsed
        pulse.bodiesRecognised = self.auditor.library.recognised
        return pulse
    }
}
