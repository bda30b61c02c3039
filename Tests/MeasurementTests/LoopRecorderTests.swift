import Measurement
import Testing

@Suite struct LoopRecorderTests {
    private let millisecond: Int64 = 1_000_000

    private func totals(_ fill: (LoopRecorder) -> Void) -> RunTotals {
        let recorder = LoopRecorder()
        fill(recorder)
        return RunTotals(merging: [recorder.finish()])
    }

    private func sample(_ outcome: Outcome, kind: RequestKind = .playlist) -> RequestSample {
        RequestSample(
            kind: kind,
            outcome: outcome,
            plannedAt: 10 * millisecond,
            sentAt: 12 * millisecond,
            firstByteAt: 15 * millisecond,
            doneAt: 20 * millisecond,
            connectMicroseconds: 300,
            tlsMicroseconds: 700,
            bodyBytes: 1_000,
            isNewConnection: true
        )
    }

    @Test func everyPartOfARequestIsMeasuredFromItsOwnStart() {
        let totals = totals { $0.record(sample(.status(200))) }
        let expected: [(LatencyMetric, Int64)] = [
            (.lateness, 1_000), (.service, 8_000), (.response, 10_000), (.firstByte, 3_000), (.connect, 300),
            (.tls, 700),
        ]
        for (metric, microseconds) in expected {
            #expect(totals.latency(.playlist, metric).maximumMicroseconds == microseconds, "\(metric.name)")
            #expect(totals.latency(.playlist, metric).count == 1, "\(metric.name)")
        }
        #expect(totals.bodyBytes(of: .playlist) == 1_000)
        #expect(totals.newConnections(of: .playlist) == 1)
    }

    @Test func kindsAreKeptApart() {
        let totals = totals { recorder in
            for kind in RequestKind.allCases {
                for _ in 0...kind.rawValue { recorder.record(sample(.status(200), kind: kind)) }
            }
        }
        for kind in RequestKind.allCases {
            #expect(totals.requestCount(of: kind) == UInt64(kind.rawValue) + 1, "\(kind.name)")
            #expect(totals.latency(kind, .response).count == UInt64(kind.rawValue) + 1, "\(kind.name)")
        }
    }

    @Test func aReusedConnectionHasNoConnectTime() {
        var reused = sample(.status(200))
        reused.connectMicroseconds = 0
        reused.tlsMicroseconds = 0
        let totals = totals { $0.record(reused) }
        #expect(totals.latency(.playlist, .connect).count == 0)
        #expect(totals.latency(.playlist, .tls).count == 0)
    }

    @Test(
        arguments: [
            (TransportFailure.totalTimeout, 1), (.firstByteTimeout, 1), (.connectRefused, 0), (.reset, 0),
            (.abandoned, 0),
        ] as [(TransportFailure, UInt64)]
    )
    func onlyAnswersAndTimeoutsHaveALatency(failure: TransportFailure, count: UInt64) {
        let totals = totals { $0.record(sample(.failure(failure))) }
        #expect(totals.latency(.playlist, .response).count == count)
        #expect(totals.outcomes(of: .playlist) == [failure.code: 1])
    }

    @Test func aRequestThatWasNeverSentHasNoLateness() {
        let unsent = RequestSample(
            kind: .segment,
            outcome: .failure(.localResources),
            plannedAt: 5,
            sentAt: 0,
            doneAt: 9
        )
        let totals = totals { $0.record(unsent) }
        #expect(totals.latency(.segment, .lateness).count == 0)
        #expect(totals.requestCount(of: .segment) == 1)
        #expect(totals.errorCount(of: .segment) == 0)
    }

    @Test(arguments: [0, 200, 599] as [UInt16])
    func everyStatusBelow600HasItsOwnCode(status: UInt16) {
        #expect(totals { $0.record(sample(.status(status))) }.outcomes(of: .playlist) == ["http_\(status)": 1])
    }

    @Test(arguments: [600, 999, 65_535] as [UInt16])
    func strangerStatusesShareACode(status: UInt16) {
        let totals = totals { $0.record(sample(.status(status))) }
        #expect(totals.outcomes(of: .playlist) == ["http_other": 1])
        #expect(totals.errorCount(of: .playlist) == 1)
    }

    @Test func foreignClockReadingsNeverTrapAndMarkTheRun() {
        let strange = RequestSample(
            kind: .playlist,
            outcome: .status(200),
            plannedAt: .max,
            sentAt: 1,
            firstByteAt: .min,
            doneAt: .max,
            connectMicroseconds: -5,
            bodyBytes: -1,
            breakSlot: .max
        )
        let totals = totals { $0.record(strange) }
        #expect(totals.requestCount(of: .playlist) == 1)
        #expect(totals.latenciesBelowZero + totals.latenciesAboveRange > 0)
    }

    @Test func aPulseHoldsWhatHappenedSinceTheLastOne() {
        let recorder = LoopRecorder()
        recorder.count(.joined, by: 3)
        recorder.count(.left)
        recorder.record(sample(.status(200)))
        recorder.record(sample(.status(500)))
        let first = recorder.pulse()
        #expect(first.requests == 2 && first.errors == 1 && first.activeViewers == 2)
        #expect(first.latenessMaximumMicroseconds == 1_000)
        let second = recorder.pulse()
        #expect(second.requests == 0 && second.errors == 0 && second.activeViewers == 2)
    }

    @Test func totalsInProgressAreNotChangedByLaterSamples() {
        let recorder = LoopRecorder()
        recorder.record(sample(.status(200)))
        let early = recorder.finish()
        recorder.record(sample(.status(200)))
        #expect(RunTotals(merging: [early]).requestCount(of: .playlist) == 1)
        #expect(RunTotals(merging: [recorder.finish()]).requestCount(of: .playlist) == 2)
    }
}
