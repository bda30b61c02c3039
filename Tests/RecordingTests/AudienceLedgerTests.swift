import ExampleRuns
import Rules
import Testing

@testable import Results

/// What viewers were told and given, kept for the end of the run.
@Suite struct AudienceLedgerTests {
    private func evidence(_ text: String) -> Evidence { Evidence(url: "http://a/m", expected: "", observed: text) }

    /// A loop on which each viewer was told a start, lacked the break, and was given a variant of a segment.
    private func loop(told: [Int: String], lacking: [Int] = [], given: [Int: UInt64] = [:]) -> LoopInterval {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1)
        for (viewer, start) in told.sorted(by: { $0.key < $1.key }) {
            let fingerprint = UInt64(start.utf8.reduce(0) { $0 &* 31 &+ Int($1) })
            tell(start, fingerprint: fingerprint, to: viewer, of: slot, on: recorder)
        }
        for viewer in lacking {
            let moment = ViewerMoment(viewer: viewer, wallMicroseconds: 5)
            recorder.withKeptBreak(slot) { $0.announcements.lacked(at: moment) { evidence("lacks") } }
        }
        for (viewer, variant) in given.sorted(by: { $0.key < $1.key }) {
            give(variant, of: "segment 1", to: viewer, in: slot, on: recorder)
        }
        return recorder.whole()
    }

    private func give(
        _ variant: UInt64,
        of subject: String,
        to viewer: Int,
        in slot: BreakSlot,
        on recorder: LoopRecorder
    ) {
        recorder.given(
            .edgeContentDiffers,
            subject: subject,
            fingerprint: variant,
            breakSlot: slot,
            at: ViewerMoment(viewer: viewer, wallMicroseconds: 5),
            evidence: evidence("variant \(variant)")
        )
    }

    private func tell(
        _ start: String,
        at time: Int64? = nil,
        fingerprint: UInt64,
        to viewer: Int,
        of slot: BreakSlot,
        on recorder: LoopRecorder
    ) {
        let times = time.map { ["START-DATE": $0] } ?? [:]
        recorder.withKeptBreak(slot) {
            $0.announcements.announced(
                fingerprint,
                at: ViewerMoment(viewer: viewer, wallMicroseconds: 2_000 + Int64(viewer)),
                url: { "http://a/m?viewer=\(viewer)" },
                announcement: { Announcement(playlist: "m", attributes: ["START-DATE": start], times: times) }
            )
        }
    }

    private func found(_ loops: [LoopInterval]) -> [String: [Int]] {
        let findings = RunTotals(merging: loops).findings
        return Dictionary(
            uniqueKeysWithValues: findings.map { finding in
                (finding.code.code, (0..<100).filter { finding.viewers.contains($0) })
            }
        )
    }

    @Test func theExceptionIsKnownOnlyWhenLoopsAreMerged() {
        let one = loop(told: [1: "x", 2: "x"], given: [1: 7, 2: 7])
        let two = loop(told: [3: "y", 4: "x"], given: [3: 8])
        #expect(found([one]).isEmpty)
        let both = ["break_start_differs": [3], "edge_content_differs": [3]]
        #expect(found([one, two]) == both)
        #expect(found([two, one]) == both)
    }

    @Test func anAnnouncementIsShownWhenAndWhereItWasSeen() throws {
        let totals = loop(told: [1: "x", 2: "x", 3: "y", 4: "x", 5: "y"])
        let found = try #require(RunTotals(merging: [totals]).findings.first { $0.code == .breakStartDiffers })
        #expect(found.first?.wallMicroseconds == 2_003 && found.first?.evidence.url == "http://a/m?viewer=3")
        #expect(found.last?.wallMicroseconds == 2_005 && found.last?.evidence.url == "http://a/m?viewer=5")
        #expect(found.first?.evidence.expected == "START-DATE=x, as 3 viewers were told")
    }

    /// Redundant packagers round: viewers 1 to 3 were told one start, 4 another one, so many milliseconds later.
    @Test(
        arguments: [(33, nil, []), (-42, nil, []), (43, nil, [4]), (33, 0, [4]), (500, 1_000_000, [])]
            as [(Int64, Int64?, [Int])]
    ) func timesAreComparedAndNotTheirTexts(milliseconds: Int64, tolerance: Int64?, affected: [Int]) throws {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1)
        for viewer in 1...4 {
            let start = viewer == 4 ? 2_000_000 + milliseconds * 1_000 : 2_000_000
            tell("\(start)", at: start, fingerprint: UInt64(start), to: viewer, of: slot, on: recorder)
        }
        let totals = recorder.whole()
        let record = try #require(totals.changes.breaks.first)
        #expect(try reread(record) == record)
        let findings = RunTotals(merging: [totals], announcementTolerance: tolerance).findings
        #expect(findings.map(\.code.code) == (affected.isEmpty ? [] : ["break_start_differs"]))
        #expect((0..<10).filter { number in findings.contains { $0.viewers.contains(number) } } == affected)
    }

    @Test func whoSawTheBreakAtAnyTimeDidNotMissIt() throws {
        let one = loop(told: [1: "x"], lacking: [2, 3])
        let record = try #require(one.changes.breaks.first)
        #expect(try reread(record) == record)
        let two = loop(told: [2: "x"])
        #expect(found([one, two]) == ["break_announcement_missing": [3]])
    }

    @Test func whoWasGivenSeveralVariantsSawAChangeAndNoOtherEdge() {
        let one = loop(told: [:], given: [1: 7, 2: 7, 3: 7])
        let two = loop(told: [:], given: [3: 8, 4: 8])
        #expect(found([one, two]) == ["edge_content_differs": [4]])
    }

    @Test func whateverComesIsBounded() {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1)
        for number in 0..<500 {
            tell("\(number)", fingerprint: UInt64(number), to: number, of: slot, on: recorder)
            give(UInt64(number), of: "segment \(number / 10)", to: number, in: slot, on: recorder)
        }
        let totals = recorder.whole()
        #expect(totals.changes.breaks.first?.announcements.variants.count == AnnouncementLedger.variantLimit)
        #expect(totals.changes.breaks.first?.announcements.notKept == 500 - AnnouncementLedger.variantLimit)
        let ballots = totals.changes.findings.values.first?.ballots.subjects ?? [:]
        #expect(ballots.count == Ballots.subjectLimit)
        #expect(ballots.values.allSatisfy { $0.count == Ballots.variantLimit })
        let kept = UInt64(Ballots.subjectLimit * Ballots.variantLimit)
        #expect(totals.changes.findings.values.first?.ballots.notKept == 500 - kept)
    }

    /// A finding that counts no further says so, also after the loops are put together and out of the journal.
    @Test func whatFindsNoRoomIsToldWithTheFinding() throws {
        func loop(subjects: Int) -> FindingLedger {
            let recorder = LoopRecorder()
            for number in 0..<subjects * 2 {
                give(UInt64(number % 2), of: "segment \(number / 2)", to: number, in: .outside, on: recorder)
            }
            var ledger = FindingLedger()
            ledger.entries = recorder.whole().changes.findings
            return ledger
        }
        func labels(_ ledger: FindingLedger) throws -> [String] {
            let read = try reread(ledger)
            #expect(read == ledger)
            let finding = try #require(Finding.all(ledger: read, breaks: [], joined: 100, tolerance: 0).first)
            return finding.shares.map(\.label)
        }
        var both = loop(subjects: Ballots.subjectLimit + 3)
        #expect(try labels(both).last == "(6 more observations, not kept)")
        both.add(loop(subjects: Ballots.subjectLimit + 2))
        #expect(try labels(both).last == "(10 more observations, not kept)")
        #expect(try !labels(loop(subjects: Ballots.subjectLimit)).contains { $0.contains("not kept") })
    }

    @Test func setsKnowWhoIsNotInTheOther() {
        var one = ViewerSet()
        var two = ViewerSet()
        for viewer in [1, 2, 300] { one.insert(viewer) }
        for viewer in [2, 700] { two.insert(viewer) }
        let rest = one.subtracting(two)
        #expect(rest.count == 2 && rest.contains(1) && rest.contains(300) && !rest.contains(2))
        #expect(!one.isDisjoint(with: two) && rest.isDisjoint(with: two))
    }
}
