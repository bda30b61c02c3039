import ExampleRuns
import Results
import Rules
import TestSupport
import Testing

@Suite struct LoopRecorderTests {
    private let millisecond: Int64 = 1_000_000

    private func totals(_ fill: (LoopRecorder) -> Void) -> RunTotals { RunTotals(fill) }

    private func sample(_ outcome: Outcome, kind: RequestKind = .playlist) -> RequestSample {
        var sample = RequestSample(
            kind: kind,
            outcome: outcome,
            plannedAt: 10 * millisecond,
            sentAt: 12 * millisecond,
            firstByteAt: 15 * millisecond,
            doneAt: 20 * millisecond
        )
        (sample.connectMicroseconds, sample.tlsMicroseconds) = (300, 700)
        (sample.bodyBytes, sample.isNewConnection) = (1_000, true)
        return sample
    }

    @Test func everyPartOfARequestIsMeasuredFromItsOwnStart() {
        var reused = sample(.status(200), kind: .metadata)
        (reused.connectMicroseconds, reused.tlsMicroseconds) = (0, 0)
        let totals = totals { recorder in
            recorder.record(sample(.status(200)))
            recorder.record(reused)
        }
        #expect(totals.latency(.metadata, .connect).count == 0 && totals.latency(.metadata, .tls).count == 0)
        let expected: [(LatencyMetric, Int64)] = [
            (.lateness, 1_000), (.service, 8_000), (.response, 10_000), (.firstByte, 3_000), (.connect, 300),
            (.tls, 700),
        ]
        for (metric, microseconds) in expected {
            #expect(totals.latency(.playlist, metric).maximumMicroseconds == microseconds, "\(metric.name)")
            #expect(totals.latency(.playlist, metric).count == 1, "\(metric.name)")
        }
        #expect(totals.requests.count(.playlist, .bodyBytes) == 1_000)
        #expect(totals.requests.count(.playlist, .newConnections) == 1)
    }

    @Test func anAnswerWithAReceiptEndsThere() {
        let totals = totals { recorder in
            var stamped = sample(.status(200))
            stamped.receivedAt = 17 * millisecond
            recorder.record(stamped)
            // The reader's clock stands in, and a timeout has no answer.
            recorder.record(sample(.status(200), kind: .podManifest))
            var timeout = sample(.failure(.firstByteTimeout), kind: .podManifest)
            timeout.firstByteAt = 0
            recorder.record(timeout)
            (stamped.outgrewBuffer, stamped.kind) = (true, .podSegment)
            recorder.record(stamped)
        }
        #expect(totals.latency(.playlist, .service).maximumMicroseconds == 5_000)
        #expect(totals.latency(.playlist, .response).maximumMicroseconds == 7_000)
        #expect(totals.latency(.playlist, .handling).maximumMicroseconds == 3_000)
        #expect(totals.latency(.podManifest, .service).maximumMicroseconds == 8_000)
        #expect(totals.latency(.podManifest, .handling).count == 0)
        #expect(totals.requests.count(.playlist, .unstamped) == 0)
        #expect(totals.requests.count(.podManifest, .unstamped) == 1)
        #expect(totals.requests.count(.podSegment, .outgrown) == 1)
    }

    /// A loop that was kept from its work cannot tell when things came; what they said it can.
    @Test func findingsThatRestOnTimeAreDroppedWhileTheLoopIsOverItsBudget() {
        let totals = totals { recorder in
            recorder.isOverBudget = { true }
            for code in [FindingCode.playlistStale, .notAPlaylist] { recorder.find(code) }
        }
        #expect(totals.findings.map(\.code) == [.notAPlaylist])
    }

    @Test func whatWasSentIsCountedByItsCarrierWhateverItsOutcome() {
        let outcomes: [Outcome] = [.status(200), .status(503), .failure(.firstByteTimeout), .failure(.reset)]
        let totals = totals { recorder in
            for (index, outcome) in outcomes.enumerated() {
                var own = sample(outcome)
                own.carrier = .exchange
                for _ in 0...index { recorder.record(own) }
                var libcurl = own
                libcurl.carrier = .curl
                recorder.record(libcurl)
                var unsent = own
                unsent.sentAt = 0
                recorder.record(unsent)
            }
        }
        #expect(totals.requests.carried(.playlist, by: .exchange) == 1 + 2 + 3 + 4)
        #expect(totals.requests.carried(.playlist, by: .curl) == 4)
        #expect(totals.requestCount(of: .playlist) == 18)
        #expect(totals.latency(.playlist, .lateness).count == 14)
        #expect(totals.requests.carried(.segment, by: .exchange) == 0)
    }

    @Test func everySentRequestOfEveryKindHasItsLateness() {
        var generator = SeededGenerator(seed: 44)
        var (made, sent): ([RequestKind: UInt64], [RequestKind: UInt64]) = ([:], [:])
        let totals = totals { recorder in
            for _ in 0..<2_000 {
                let kind = RequestKind.allCases.randomElement(using: &generator) ?? .playlist
                let failure = TransportFailure(rawValue: UInt8.random(in: 0..<16, using: &generator)) ?? .other
                var sample = sample(Bool.random(using: &generator) ? .status(200) : .failure(failure), kind: kind)
                sample.plannedAt = Int64.random(in: 0...4, using: &generator) * 3_000_000_000_000
                sample.sentAt = Int64.random(in: 0...4, using: &generator) * 3_000_000_000_000
                made[kind, default: 0] += 1
                if sample.sentAt != 0 { sent[kind, default: 0] += 1 }
                recorder.record(sample)
            }
        }
        for kind in RequestKind.allCases {
            let lateness = totals.latency(kind, .lateness)
            #expect(lateness.count + lateness.outOfRange == sent[kind] ?? 0, "\(kind.name), seed 44")
            let carried = Carrier.allCases.reduce(0) { $0 + totals.requests.carried(kind, by: $1) }
            #expect(carried == sent[kind] ?? 0, "\(kind.name), seed 44")
            #expect(totals.requestCount(of: kind) == made[kind], "\(kind.name), seed 44")
        }
        #expect(sent.count == RequestKind.allCases.count)
    }

    @Test func repeatsAreCountedByKindAndAreNoRequestsOfTheirOwn() {
        let totals = totals { recorder in
            recorder.record(sample(.status(200)))
            recorder.countRepeated(.playlist)
            recorder.countRepeated(.metadata, by: 3)
        }
        #expect(totals.requests.count(.playlist, .repeated) == 1)
        #expect(totals.requests.count(.metadata, .repeated) == 3)
        #expect(totals.requests.count(.segment, .repeated) == 0)
        #expect(totals.requestCount(of: .playlist) == 1)
        #expect(totals.requestCount(of: .metadata) == 0)
    }

    @Test(
        arguments: [
            (TransportFailure.totalTimeout, 1), (.firstByteTimeout, 1), (.connectRefused, 0), (.reset, 0),
            (.abandoned, 0),
        ] as [(TransportFailure, UInt64)]
    ) func onlyAnswersAndTimeoutsHaveALatency(failure: TransportFailure, count: UInt64) {
        let totals = totals { $0.record(sample(.failure(failure))) }
        #expect(totals.latency(.playlist, .response).count == count)
        #expect(totals.requests.outcomesByCode(.playlist) == [failure.code: 1])
    }

    @Test func aRequestThatWasNeverSentHasNoLateness() {
        var unsent = RequestSample.ended(.failure(.localResources), .segment)
        unsent.sentAt = 0
        let totals = totals { $0.record(unsent) }
        #expect(totals.latency(.segment, .lateness).count == 0)
        #expect(totals.requestCount(of: .segment) == 1)
        #expect(totals.errorCount(of: .segment) == 0)
    }

    @Test(
        arguments: [(0, "0"), (200, "200"), (599, "599"), (600, "other"), (999, "other"), (65_535, "other")]
            as [(UInt16, String)]
    ) func everyStatusBelow600HasItsOwnCode(status: UInt16, code: String) {
        let totals = totals { $0.record(sample(.status(status))) }
        #expect(totals.requests.outcomesByCode(.playlist) == ["http_\(code)": 1])
        #expect(totals.errorCount(of: .playlist) == (status == 200 ? 0 : 1))
    }

    @Test func foreignClockReadingsNeverTrapAndMarkTheRun() {
        var strange = RequestSample(
            kind: .playlist,
            outcome: .status(200),
            plannedAt: .max,
            sentAt: 1,
            firstByteAt: .min,
            doneAt: .max
        )
        (strange.connectMicroseconds, strange.bodyBytes, strange.breakSlot) = (-5, -1, .kept(.max))
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
        let early = recorder.whole()
        recorder.record(sample(.status(200)))
        #expect(RunTotals(merging: [early]).requestCount(of: .playlist) == 1)
        #expect(RunTotals(merging: [recorder.whole()]).requestCount(of: .playlist) == 2)
    }
}
