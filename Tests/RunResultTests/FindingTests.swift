import Recording
import Rulebook
import RunResult
import Testing

@Suite struct FindingTests {
    private func evidence(_ text: String) -> Evidence { Evidence(url: text, expected: "", observed: "") }

    private func findings(_ fill: (LoopRecorder, Int32) -> Void) -> [Finding] {
        let recorder = LoopRecorder()
        recorder.count(.joined, by: 10)
        let slot = recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1)
        fill(recorder, slot)
        return RunTotals(merging: [recorder.finish()]).findings
    }

    @Test func sightingsOfOneCodeInOneBreakAreOneFinding() throws {
        let found = findings { recorder, slot in
            for (viewer, wall) in [(3, 500), (1, 100), (3, 900), (2, 300)] as [(Int, Int64)] {
                recorder.finding(
                    .emptyPod,
                    viewer: viewer,
                    breakSlot: slot,
                    wallMicroseconds: wall,
                    evidence: evidence("\(wall)")
                )
            }
        }
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.code == .emptyPod && finding.breakKey == "a")
        #expect(finding.count == 4 && finding.viewers.count == 3)
        #expect(finding.first?.evidence.url == "100" && finding.last?.evidence.url == "900")
    }

    @Test func outsideABreakTheShareIsOfAllViewersThatJoined() throws {
        let found = findings { recorder, _ in
            recorder.finding(
                .notAPlaylist,
                viewer: 1,
                breakSlot: -1,
                wallMicroseconds: 1,
                evidence: evidence("x")
            )
        }
        let finding = try #require(found.first)
        #expect(finding.breakKey == nil)
        #expect(finding.viewersAsked == 10 && finding.viewerShare == 0.1)
    }

    @Test func graverFindingsComeFirst() {
        let found = findings { recorder, slot in
            for code in [FindingCode.podUnderfilled, .notAPlaylist, .emptyPod] {
                recorder.finding(code, viewer: 1, breakSlot: slot, wallMicroseconds: 1, evidence: evidence("x"))
            }
        }
        #expect(found.map(\.code) == [.emptyPod, .notAPlaylist, .podUnderfilled])
    }

    @Test func viewersThatAskForDifferentIdentifiersAreASplitWithShares() throws {
        let found = findings { recorder, slot in
            for viewer in 0..<10 {
                let identifier = viewer < 7 ? "pod/1" : viewer < 9 ? "pod/2" : "pod/3"
                recorder.podRequested(
                    slot,
                    identifier: identifier,
                    viewer: viewer,
                    wallMicroseconds: 2_000 - Int64(viewer),
                    url: "http://a/\(identifier)?viewer=\(viewer)"
                )
            }
        }
        let split = try #require(found.first)
        #expect(found.count == 1 && split.code == .breakIdentifierSplit)
        #expect(split.count == 3 && split.viewers.count == 3 && split.viewersAsked == 10)
        #expect(split.shares.map(\.label) == ["pod/1", "pod/2", "pod/3"])
        #expect(split.shares.map(\.share) == [0.7, 0.2, 0.1])
        #expect(split.first?.viewer == 9 && split.first?.wallMicroseconds == 1_991)
        #expect(split.first?.evidence.observed == "1 of 10 viewers asked for pod/3")
        #expect(split.first?.evidence.url == "http://a/pod/3?viewer=9")
        #expect(split.last?.viewer == 7 && split.last?.wallMicroseconds == 1_993)
        #expect(split.last?.evidence.observed == "2 of 10 viewers asked for pod/2")
        #expect(split.last?.evidence.url == "http://a/pod/2?viewer=7")
    }

    @Test func viewersThatAgreeAreNoFinding() {
        let found = findings { recorder, slot in
            for viewer in 0..<10 {
                recorder.podRequested(slot, identifier: "pod/1", viewer: viewer, wallMicroseconds: 1)
                recorder.podObserved(
                    slot,
                    .pod("pod/1"),
                    fingerprint: 5,
                    viewer: viewer,
                    wallMicroseconds: 0,
                    evidence: evidence("x")
                )
            }
        }
        #expect(found.isEmpty)
    }

    @Test func identifiersOfDifferentBreaksAreNoSplit() {
        let found = findings { recorder, slot in
            let later = recorder.breakSlot(for: "b", start: 2_000, durationMilliseconds: 1)
            recorder.podRequested(slot, identifier: "pod/1", viewer: 1, wallMicroseconds: 1)
            recorder.podRequested(later, identifier: "pod/2", viewer: 1, wallMicroseconds: 1)
        }
        #expect(found.isEmpty)
    }

    @Test func aRetryUnderAnotherIdentifierIsNoSplit() {
        let found = findings { recorder, slot in
            for identifier in ["pod/1", "pod/2"] {
                recorder.podRequested(slot, identifier: identifier, viewer: 4, wallMicroseconds: 1)
            }
        }
        #expect(found.isEmpty)
    }

    @Test func aDifferentPodForTheSameIdentifierIsAMismatch() throws {
        let found = findings { recorder, slot in
            for viewer in 0..<5 {
                recorder.podObserved(
                    slot,
                    .pod("pod/1"),
                    fingerprint: viewer == 3 ? 0xab : 0xcd,
                    viewer: viewer,
                    wallMicroseconds: 70 + Int64(viewer),
                    evidence: Evidence(
                        url: "pod of \(viewer)",
                        expected: "",
                        observed: "2 ads; a 5000 ms; \(viewer == 3 ? "c" : "b") 5000 ms"
                    )
                )
            }
        }
        let mismatch = try #require(found.first)
        #expect(found.count == 1 && mismatch.code == .podMismatch)
        #expect(mismatch.count == 1 && mismatch.viewers.contains(3) && mismatch.viewersAsked == 5)
        #expect(mismatch.shares.map(\.label) == ["pod/1 #00000000000000cd", "pod/1 #00000000000000ab"])
        #expect(mismatch.first?.evidence.url == "pod of 3")
        #expect(mismatch.first?.wallMicroseconds == 73)
        let evidence = try #require(mismatch.first?.evidence)
        #expect(evidence.expected == "as 4 of 5 viewers, viewer 0 first: after 2 equal parts: b 5000 ms")
        #expect(evidence.observed == "segment 2 is another: after 2 equal parts: c 5000 ms")
    }

    @Test func theRenditionsOfAPodAreOneFinding() throws {
        let found = findings { recorder, slot in
            for viewer in 0..<8 {
                recorder.podObserved(
                    slot,
                    .rendition(viewer < 4 ? "640x360" : "320x180", ofPod: "pod/1"),
                    fingerprint: UInt64(viewer < 4 ? 1 : 2) + (viewer % 4 == 3 ? 10 : 0),
                    viewer: viewer,
                    wallMicroseconds: 70 + Int64(viewer),
                    evidence: evidence("pod of \(viewer)")
                )
            }
        }
        let mismatch = try #require(found.first)
        #expect(found.count == 1 && mismatch.code == .podMismatch && mismatch.count == 2)
        #expect(mismatch.viewers.contains(3) && mismatch.viewers.contains(7) && mismatch.viewersAsked == 8)
        #expect(mismatch.shares.map(\.viewers) == [3, 3, 1, 1])
        #expect(mismatch.shares.first?.label == "pod/1 in 320x180 #0000000000000002")
        #expect(mismatch.first?.viewer == 3 && mismatch.last?.viewer == 7)
    }

    @Test func theLastSightingOfAMismatchIsTheLastViewersOwn() throws {
        let found = findings { recorder, slot in
            for viewer in 0..<9 {
                recorder.podObserved(
                    slot,
                    .pod("pod/1"),
                    fingerprint: viewer % 3 == 1 ? 2 : 1,
                    viewer: viewer,
                    wallMicroseconds: 100 + Int64(viewer),
                    evidence: evidence("pod of \(viewer)")
                )
            }
        }
        let mismatch = try #require(found.first)
        #expect(mismatch.count == 3)
        #expect(mismatch.first?.wallMicroseconds == 101 && mismatch.first?.evidence.url == "pod of 1")
        #expect(mismatch.last?.wallMicroseconds == 107 && mismatch.last?.evidence.url == "pod of 7")
        #expect(
            mismatch.last?.evidence.observed
                == "only addresses differ: the same but for what of an address is not shown here"
        )
    }

    @Test func aSummaryIsBounded() {
        var summary = ContentSummary()
        for number in 0..<10_000 { summary.add("piece \(number)") }
        #expect(summary.isFull && summary.text.utf8.count < Evidence.textLimit + 20)
        let short = ContentSummary.difference("2; a; b", "2; a")
        #expect(short.expected == "after 2 equal parts: b" && short.observed == "nothing after 2 equal parts")
    }

    @Test(arguments: [
        (
            "2 segments, 9 ms; a 5 ms in 1; b 4 ms in 1", "2 segments, 9 ms; b 4 ms in 1; a 5 ms in 1",
            "another order, from ad 1 on"
        ),
        ("2 segments, 9 ms; a 5 ms in 1; b 4 ms in 1", "2 segments, 9 ms; a 5 ms in 1; c 4 ms in 1", "ad 2 is another"),
        (
            "2 segments, 9 ms; a 5 ms in 1; b 4 ms in 1", "2 segments, 8 ms; a 5 ms in 1; b 3 ms in 1",
            "ad 2 is not the same length"
        ),
        ("2 segments, 9 ms; a 5 ms in 1; b 4 ms in 1", "1 segments, 5 ms; a 5 ms in 1", "1 fewer at the end"),
        ("1 segments, 5 ms; a 5 ms in 1", "2 segments, 9 ms; a 5 ms in 1; b 4 ms in 1", "1 more at the end"),
        ("2 variants; 4x3 avc1; 8x6 avc1", "2 variants; 4x3 avc1; 8x6 hvc1", "variant 2 is another"),
        ("1 assets; a 5 ms", "2 assets; c 2 ms; d 3 ms", "2 in place of 1, from asset 1 on"),
        ("2 segments; a; b", "2 segments; a; c", "segment 2 is another"),
        ("1 segments; a", "1 segments; a", "only addresses differ"),
    ])
    func inWhatTwoBodiesDifferIsSaidInWords(expected: String, observed: String, kind: String) {
        #expect(ContentSummary.difference(expected, observed).kind == kind)
    }

    /// Each cohort is held against itself alone.
    @Test func cohortsMayDifferAndTheirMembersMayNot() throws {
        func given(_ fingerprints: [(cohort: String, pod: UInt64)]) -> [Finding] {
            findings { recorder, slot in
                for (viewer, given) in fingerprints.enumerated() {
                    recorder.podObserved(
                        slot,
                        .ofCohort(given.cohort, .pod("pod/1")),
                        fingerprint: given.pod,
                        viewer: viewer,
                        wallMicroseconds: Int64(viewer),
                        evidence: evidence("pod of \(viewer)")
                    )
                }
            }
        }
        #expect(given([("a", 1), ("b", 2), ("a", 1), ("b", 2)]).isEmpty)
        let found = given([("a", 1), ("b", 2), ("a", 1), ("b", 2), ("b", 1)])
        let mismatch = try #require(found.first)
        #expect(found.count == 1 && mismatch.code == .podMismatch && mismatch.count == 1)
        #expect(mismatch.viewersAsked == 3 && mismatch.viewers.contains(4))
        #expect(mismatch.cohort == "b")
        #expect(mismatch.first?.evidence.expected.hasPrefix("as 2 of 3 viewers of b, viewer 1 first: ") == true)
    }

    @Test func aChangedPodOfTheSameViewerIsNoMismatch() {
        let found = findings { recorder, slot in
            for fingerprint in [1, 2] as [UInt64] {
                recorder.podObserved(
                    slot,
                    .pod("pod/1"),
                    fingerprint: fingerprint,
                    viewer: 1,
                    wallMicroseconds: 0,
                    evidence: evidence("x")
                )
            }
        }
        #expect(found.isEmpty)
    }

    @Test func viewersOnDifferentLoopsAreComparedToo() {
        let loops = (0..<2).map { index in
            let recorder = LoopRecorder()
            let slot = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1)
            recorder.podRequested(slot, identifier: "pod/\(index)", viewer: index, wallMicroseconds: 0)
            recorder.podObserved(
                slot,
                .pod("pod/x"),
                fingerprint: UInt64(index),
                viewer: index,
                wallMicroseconds: 0,
                evidence: evidence("x")
            )
            return recorder.finish()
        }
        #expect(RunTotals(merging: loops).findings.map(\.code) == [.breakIdentifierSplit, .podMismatch])
    }

    @Test func manyIdentifiersAreListedUpToABound() throws {
        let found = findings { recorder, slot in
            for viewer in 0..<30 {
                recorder.podRequested(slot, identifier: "pod/\(viewer)", viewer: viewer, wallMicroseconds: 1)
            }
        }
        let shares = try #require(found.first).shares
        #expect(shares.count == 13)
        #expect(shares.last?.label == "(18 more)" && shares.last?.viewers == 18)
    }

    @Test func evidenceIsCutToItsBound() {
        let long = Evidence(url: String(repeating: "x", count: 5_000), expected: "short", observed: "")
        #expect(long.url.count == Evidence.textLimit)
        #expect(long.expected == "short")
    }
}
