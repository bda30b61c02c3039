import Foundation
import Rulebook
import Testing

@testable import Recording
@testable import RunResult

/// What viewers were told and given, kept for the end of the run.
@Suite struct AudienceLedgerTests {
    private func evidence(_ text: String) -> Evidence { Evidence(url: "http://a/m", expected: "", observed: text) }

    /// A loop on which each viewer was told a start, lacked the break, and was given a variant of a segment.
    private func loop(told: [Int: String], lacking: [Int] = [], given: [Int: UInt64] = [:]) -> LoopTotals {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1)
        for (viewer, start) in told.sorted(by: { $0.key < $1.key }) {
            recorder.breakAnnounced(
                slot,
                fingerprint: UInt64(start.utf8.reduce(0) { $0 &* 31 &+ Int($1) }),
                viewer: viewer,
                wallMicroseconds: 2_000 + Int64(viewer),
                url: "http://a/m?viewer=\(viewer)",
                announcement: Announcement(playlist: "m", attributes: ["START-DATE": start])
            )
        }
        for viewer in lacking {
            recorder.breakLacked(slot, viewer: viewer, wallMicroseconds: 5, evidence: evidence("lacks"))
        }
        for (viewer, variant) in given.sorted(by: { $0.key < $1.key }) {
            recorder.given(
                .edgeContentDiffers,
                subject: "segment 1",
                fingerprint: variant,
                viewer: viewer,
                breakSlot: slot,
                wallMicroseconds: 5,
                evidence: evidence("variant \(variant)")
            )
        }
        return recorder.finish()
    }

    private func found(_ loops: [LoopTotals]) -> [String: [Int]] {
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
    )
    func timesAreComparedAndNotTheirTexts(milliseconds: Int64, tolerance: Int64?, affected: [Int]) throws {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1)
        for viewer in 1...4 {
            let start = viewer == 4 ? 2_000_000 + milliseconds * 1_000 : 2_000_000
            recorder.breakAnnounced(
                slot,
                fingerprint: UInt64(start),
                viewer: viewer,
                wallMicroseconds: 2_000,
                url: "http://a/m",
                announcement: Announcement(
                    playlist: "m",
                    attributes: ["START-DATE": "\(start)"],
                    times: ["START-DATE": start]
                )
            )
        }
        let totals = recorder.finish()
        let record = try #require(totals.breaks.first)
        #expect(try JSONDecoder().decode(BreakRecord.self, from: JSONEncoder().encode(record)) == record)
        let findings = RunTotals(merging: [totals], announcementTolerance: tolerance).findings
        #expect(findings.map(\.code.code) == (affected.isEmpty ? [] : ["break_start_differs"]))
        #expect((0..<10).filter { number in findings.contains { $0.viewers.contains(number) } } == affected)
    }

    @Test func whoSawTheBreakAtAnyTimeDidNotMissIt() {
        let one = loop(told: [1: "x"], lacking: [2, 3])
        let two = loop(told: [2: "x"])
        #expect(found([one, two]) == ["break_announcement_missing": [3]])
    }

    @Test func whoWasGivenSeveralVariantsSawAChangeAndNoOtherEdge() {
        let one = loop(told: [:], given: [1: 7, 2: 7, 3: 7])
        let two = loop(told: [:], given: [3: 8, 4: 8])
        #expect(found([one, two]) == ["edge_content_differs": [4]])
    }

    @Test func everythingSurvivesTheJournal() throws {
        let totals = loop(told: [1: "x", 3: "y"], lacking: [5], given: [1: 7, 3: 8])
        let record = try #require(totals.breaks.first)
        let copy = try JSONDecoder().decode(BreakRecord.self, from: JSONEncoder().encode(record))
        #expect(copy == record)
        #expect(copy.announcements.lacking.contains(5) && copy.announcements.variants.count == 2)
        let findings = try JSONDecoder().decode(FindingLedger.self, from: JSONEncoder().encode(totals.findings))
        #expect(findings == totals.findings)
        #expect(findings.entries.values.contains { $0.ballots.subjects["segment 1"]?.count == 2 })
    }

    @Test func whateverComesIsBounded() {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1)
        for number in 0..<500 {
            recorder.breakAnnounced(
                slot,
                fingerprint: UInt64(number),
                viewer: number,
                wallMicroseconds: 0,
                url: "http://a/m",
                announcement: Announcement(playlist: "m", attributes: ["START-DATE": "\(number)"])
            )
            recorder.given(
                .edgeContentDiffers,
                subject: "segment \(number / 10)",
                fingerprint: UInt64(number),
                viewer: number,
                breakSlot: slot,
                wallMicroseconds: 5,
                evidence: evidence("")
            )
        }
        let totals = recorder.finish()
        #expect(totals.breaks.first?.announcements.variants.count == AnnouncementLedger.variantLimit)
        #expect(totals.breaks.first?.announcements.notKept == 500 - AnnouncementLedger.variantLimit)
        let ballots = totals.findings.entries.values.first?.ballots.subjects ?? [:]
        #expect(ballots.count == Ballots.subjectLimit)
        #expect(ballots.values.allSatisfy { $0.count == Ballots.variantLimit })
        let kept = UInt64(Ballots.subjectLimit * Ballots.variantLimit)
        #expect(totals.findings.entries.values.first?.ballots.notKept == 500 - kept)
    }

    /// A finding that counts no further says so, also after the loops are put together and out of the journal.
    @Test func whatFindsNoRoomIsToldWithTheFinding() throws {
        func loop(subjects: Int) -> LoopTotals {
            let recorder = LoopRecorder()
            for number in 0..<subjects * 2 {
                recorder.given(
                    .edgeContentDiffers,
                    subject: "segment \(number / 2)",
                    fingerprint: UInt64(number % 2),
                    viewer: number,
                    breakSlot: -1,
                    wallMicroseconds: 5,
                    evidence: evidence("\(number % 2)")
                )
            }
            return recorder.finish()
        }
        func labels(_ ledger: FindingLedger) throws -> [String] {
            let read = try JSONDecoder().decode(FindingLedger.self, from: JSONEncoder().encode(ledger))
            #expect(read == ledger)
            let finding = try #require(Finding.all(ledger: read, breaks: [], joined: 100).first)
            return finding.shares.map(\.label)
        }
        var both = loop(subjects: Ballots.subjectLimit + 3).findings
        #expect(try labels(both).last == "(6 more observations, not kept)")
        both.add(loop(subjects: Ballots.subjectLimit + 2).findings)
        #expect(try labels(both).last == "(10 more observations, not kept)")
        #expect(try !labels(loop(subjects: Ballots.subjectLimit).findings).contains { $0.contains("not kept") })
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
