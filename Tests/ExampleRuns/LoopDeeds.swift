package import Results
package import Rules

/// What viewers do on a loop, with nothing said but what a test is about.
extension LoopRecorder {
    /// A viewer finds something wrong; outside of breaks unless told otherwise.
    package func find(
        _ code: FindingCode,
        viewer: Int = 1,
        in slot: BreakSlot = .outside,
        at wallMicroseconds: Int64 = 1,
        url: String = ""
    ) {
        let moment = ViewerMoment(viewer: viewer, wallMicroseconds: wallMicroseconds)
        finding(code, breakSlot: slot, at: moment, evidence: Evidence(url: url))
    }

    /// A viewer is given something that is compared with what others are given.
    package func give(
        _ content: ComparedContent,
        _ fingerprint: UInt64,
        to viewer: Int,
        in slot: BreakSlot,
        at wallMicroseconds: Int64 = 0,
        url: String = "",
        observed: String = ""
    ) {
        podObserved(
            slot,
            content,
            fingerprint: fingerprint,
            at: ViewerMoment(viewer: viewer, wallMicroseconds: wallMicroseconds),
            evidence: Evidence(url: url, observed: observed)
        )
    }

    /// Records a request, and what it was where it is among the slowest so far.
    ///
    /// - Returns: Whether it is.
    @discardableResult
    package func recordSlow(
        _ sample: RequestSample,
        viewer: Int = 1,
        at wallMicroseconds: Int64,
        url: String,
        served: ServedBy
    ) -> Bool {
        guard record(sample) else { return false }
        let (kind, outcome, response) = (sample.kind, sample.outcome, (sample.doneAt - sample.plannedAt) / 1_000)
        keepSlow(
            sample.kind,
            breakSlot: sample.breakSlot,
            wallMicroseconds: wallMicroseconds,
            responseMicroseconds: response
        ) {
            { breakKey in
                SlowAnswer(
                    kind: kind,
                    breakKey: breakKey,
                    responseMicroseconds: response,
                    outcome: outcome.code,
                    at: ViewerMoment(viewer: viewer, wallMicroseconds: wallMicroseconds),
                    Evidence(url: url, served: served)
                )
            }
        }
        return true
    }

    /// Viewers are due for a break, of whom so many have their pods in time and so many late; the rest fails.
    package func serve(_ slot: BreakSlot, due: Int, onTime: Int = 0, late: Int = 0, persona: UInt8 = 0) {
        for viewer in 0..<due {
            viewerDue(slot, of: Cohort(persona: persona))
            switch viewer {
            case ..<onTime: viewerOnTime(slot, inHandAfterStart: 0, of: Cohort(persona: persona))
            case ..<(onTime + late): viewerLate(slot, lateness: 1_000_000, of: Cohort(persona: persona))
            default: viewerFailed(slot, .podManifestFailed, of: Cohort(persona: persona))
            }
        }
    }
}

extension RequestSample {
    /// A request that is sent when it was planned, and ends so much later.
    package static func ended(
        _ outcome: Outcome = .status(200),
        _ kind: RequestKind = .playlist,
        after microseconds: Int64 = 1_000,
        breakSlot: BreakSlot = .outside,
        edgeSlot: UInt16 = EdgeSlot.none
    ) -> RequestSample {
        var sample = RequestSample(
            kind: kind,
            outcome: outcome,
            plannedAt: 1,
            sentAt: 1,
            doneAt: 1 + microseconds * 1_000
        )
        (sample.breakSlot, sample.edgeSlot) = (breakSlot, edgeSlot)
        return sample
    }
}

extension RunInterval {
    /// The `number`-th second of a run, with what its loops hand over.
    package init(
        second number: Int,
        of recorders: [LoopRecorder] = [],
        runStart: Int64 = ExampleRun.start,
        health: HealthSample? = nil
    ) {
        let end = Int64(number + 1) * 1_000_000
        self.init(number: number)
        (startMicroseconds, endMicroseconds, wallMicroseconds) = (end - 1_000_000, end, runStart + end)
        self.health = health ?? HealthSample(wallMicroseconds: runStart + end)
        take(from: recorders)
    }

    /// Adds what loops have to hand over, or some of them.
    package mutating func take(from recorders: [LoopRecorder], of some: [Int]? = nil) {
        for (index, recorder) in recorders.enumerated() where some?.contains(index) ?? true {
            var part = recorder.takeInterval()
            add(part, index: index)
            if let set = part.takeClearedSet() { recorder.giveBack(set) }
        }
    }
}

extension RunTotals {
    /// Sums of one loop.
    package init(_ deeds: (LoopRecorder) throws -> Void) rethrows {
        let recorder = LoopRecorder()
        try deeds(recorder)
        self.init(merging: [recorder.whole()])
    }
}

extension ResultDocument {
    /// The result of a run of which nothing matters but its totals.
    package init(of totals: RunTotals, isOver: Bool = true) {
        self.init(
            run: ExampleRun.description(),
            totals: totals,
            health: HealthResult(loopCores: 2, descriptorLimit: 1_024),
            series: TimeSeries(),
            rules: [],
            isOver: isOver
        )
    }
}
