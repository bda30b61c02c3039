import ExampleRuns
import Rules
import TestSupport
import Testing

@testable import Results

@Suite struct SlowestAnswersTests {
    private static func answer(_ response: Int64, _ key: String = "", kind: RequestKind = .podManifest, viewer: Int = 0)
        -> SlowAnswer
    {
        SlowAnswer(
            kind: kind,
            breakKey: key,
            responseMicroseconds: response,
            outcome: "http_200",
            at: ViewerMoment(viewer: viewer, wallMicroseconds: 1),
            Evidence(url: "/pod")
        )
    }

    private func offer(_ response: Int64, to recorder: LoopRecorder, slot: BreakSlot = .outside, wall: Int64 = 5)
        -> Bool
    {
        let sample = RequestSample.ended(.status(200), .podManifest, after: response, breakSlot: slot)
        return recorder.recordSlow(sample, at: wall, url: "/\(response)", served: ServedBy(address: "a:1"))
    }

    @Test func ofEachBreakTheSlowestThreeAreKept() {
        var kept = SlowestAnswers()
        for response in 1...9 as ClosedRange<Int64> {
            kept.add(Self.answer(response))
            kept.add(Self.answer(response * 2, "a"))
            kept.add(Self.answer(response * 3, "a", kind: .playlist))
        }
        #expect(kept.all.map(\.responseMicroseconds) == [27, 24, 21, 18, 16, 14, 9, 8, 7])
    }

    @Test func aKindKeepsNoMoreThanItsLimit() {
        var kept = SlowestAnswers()
        for key in 0..<100 { for response in 1...5 { kept.add(Self.answer(Int64(key * 10 + response), "\(key)")) } }
        #expect(kept.all.count == SlowestAnswers.perKind)
        #expect(kept.all.first?.responseMicroseconds == 995 && kept.all.last?.responseMicroseconds == 843)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func howTheyComeTogetherDoesNotMatter(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let answers = (0..<400).map { viewer in
            Self.answer(
                Int64.random(in: 0..<60, using: &generator),
                "\(Int.random(in: 0..<30, using: &generator))",
                kind: Bool.random(using: &generator) ? .playlist : .podManifest,
                viewer: viewer
            )
        }
        var whole = SlowestAnswers()
        for answer in answers { whole.add(answer) }
        var parts = (0..<4).map { _ in SlowestAnswers() }
        for answer in answers.shuffled(using: &generator) {
            parts[Int.random(in: 0..<4, using: &generator)].add(answer)
        }
        let left = parts.reduce(into: SlowestAnswers()) { $0.add($1) }
        let right = parts.reversed().reduce(into: SlowestAnswers()) { $0.add($1) }
        var nested = parts[0]
        var others = parts[3]
        others.add(parts[2])
        others.add(parts[1])
        nested.add(others)
        nested.add(others)
        #expect(left == whole && right == whole && nested == whole, "seed \(seed)")
        #expect(try reread(whole) == whole, "seed \(seed)")
    }

    // MARK: On a loop

    @Test func aLoopAsksOnlyForWhatIsStillSlowAtTheEndOfTheInterval() {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "b", start: 10, durationMilliseconds: 1)
        // A burst: each answer is slower than those before it.
        #expect((1...1_000).allSatisfy { offer($0, to: recorder, slot: slot) })
        #expect(!offer(998, to: recorder, slot: slot))
        let told = recorder.takeInterval().sums.slowest.all
        #expect(told.map(\.responseMicroseconds).sorted() == [998, 999, 1_000])
        #expect(told.allSatisfy { $0.breakKey == "b" && $0.sighting.evidence.url == "/\($0.responseMicroseconds)" })
        #expect(told.allSatisfy { $0.outcome == "http_200" && $0.sighting.evidence.served.address == "a:1" })
        // What was told stays the measure.
        #expect(recorder.takeInterval().sums.slowest.isEmpty)
        #expect(!offer(500, to: recorder, slot: slot))
        #expect(offer(500, to: recorder))
        #expect(recorder.takeInterval().sums.slowest.all.map(\.breakKey) == [""])
    }

    @Test func requestsWithoutATimeAreNotSlowAndTimeoutsAre() {
        let recorder = LoopRecorder()
        var failed = RequestSample.ended(after: 9_000_000)
        failed.outcome = .failure(.reset)
        #expect(!recorder.record(failed))
        failed.outcome = .failure(.firstByteTimeout)
        #expect(recorder.record(failed))
        #expect(recorder.record(.ended(.status(200), .metadata, after: 0)))
    }

    @Test func theWarmUpIsNoMeasure() {
        let recorder = LoopRecorder(measuredFromMicroseconds: 100)
        for response in 1_000...1_010 as ClosedRange<Int64> { #expect(offer(response, to: recorder, wall: 99)) }
        #expect(recorder.takeInterval().sums.slowest.isEmpty)
        #expect(offer(1, to: recorder, wall: 100))
        #expect(recorder.takeInterval().sums.slowest.all.map(\.responseMicroseconds) == [1])
    }
}
