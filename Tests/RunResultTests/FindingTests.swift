import ExampleRuns
import Recording
import Rulebook
import RunResult
import Testing

@Suite struct FindingTests {
    private func findings(_ fill: (LoopRecorder, Int32) -> Void) -> [Finding] {
        RunTotals { recorder in
            recorder.count(.joined, by: 10)
            fill(recorder, recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1))
        }
        .findings
    }

    @Test func sightingsOfOneCodeInOneBreakAreOneFinding() throws {
        let found = findings { recorder, slot in
            for (viewer, wall) in [(3, 500), (1, 100), (3, 900), (2, 300)] as [(Int, Int64)] {
                recorder.find(.emptyPod, viewer: viewer, in: slot, at: wall, url: "\(wall)")
            }
        }
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.code == .emptyPod && finding.breakKey == "a")
        #expect(finding.count == 4 && finding.viewers.count == 3)
        #expect(finding.first?.evidence.url == "100" && finding.last?.evidence.url == "900")
    }

    @Test func outsideABreakTheShareIsOfAllViewersThatJoined() throws {
        let finding = try #require(findings { recorder, _ in recorder.find(.notAPlaylist) }.first)
        #expect(finding.breakKey == nil)
        #expect(finding.viewersAsked == 10 && finding.viewerShare == 0.1)
    }

    @Test func graverFindingsComeFirst() {
        let found = findings { recorder, slot in
            for code in [FindingCode.podUnderfilled, .notAPlaylist, .emptyPod] {
                recorder.find(code, in: slot)
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

    /// Viewers agree, ask for other breaks, ask again under another name, or see their own pod change.
    private static let agreements: [@Sendable (LoopRecorder, Int32) -> Void] = [
        { recorder, slot in
            for viewer in 0..<10 {
                recorder.podRequested(slot, identifier: "pod/1", viewer: viewer, wallMicroseconds: 1)
                recorder.give(.pod("pod/1"), 5, to: viewer, in: slot)
            }
        },
        { recorder, slot in
            let later = recorder.breakSlot(for: "b", start: 2_000, durationMilliseconds: 1)
            recorder.podRequested(slot, identifier: "pod/1", viewer: 1, wallMicroseconds: 1)
            recorder.podRequested(later, identifier: "pod/2", viewer: 1, wallMicroseconds: 1)
        },
        { recorder, slot in
            for name in ["pod/1", "pod/2"] {
                recorder.podRequested(slot, identifier: name, viewer: 4, wallMicroseconds: 1)
            }
        },
        { recorder, slot in
            for fingerprint in [1, 2] as [UInt64] { recorder.give(.pod("pod/1"), fingerprint, to: 1, in: slot) }
        },
    ]

    @Test(arguments: agreements.indices) func whatIsNoDisagreementIsNoFinding(index: Int) {
        #expect(findings(Self.agreements[index]).isEmpty)
    }

    @Test func aDifferentPodForTheSameIdentifierIsAMismatch() throws {
        let found = findings { recorder, slot in
            for viewer in 0..<5 {
                recorder.give(
                    .pod("pod/1"),
                    viewer == 3 ? 0xab : 0xcd,
                    to: viewer,
                    in: slot,
                    at: 70 + Int64(viewer),
                    url: "pod of \(viewer)",
                    observed: "2 ads; a 5000 ms; \(viewer == 3 ? "c" : "b") 5000 ms"
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
                let (size, fingerprint) = viewer < 4 ? ("640x360", UInt64(1)) : ("320x180", 2)
                let seen = fingerprint + (viewer % 4 == 3 ? 10 : 0)
                recorder.give(.rendition(size, ofPod: "pod/1"), seen, to: viewer, in: slot, at: 70 + Int64(viewer))
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
                let (seen, url): (UInt64, _) = (viewer % 3 == 1 ? 2 : 1, "pod of \(viewer)")
                recorder.give(.pod("pod/1"), seen, to: viewer, in: slot, at: 100 + Int64(viewer), url: url)
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
                    let content = ComparedContent.ofCohort(given.cohort, .pod("pod/1"))
                    recorder.give(content, given.pod, to: viewer, in: slot, at: Int64(viewer))
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

    @Test func viewersOnDifferentLoopsAreComparedToo() {
        let loops = (0..<2).map { index in
            let recorder = LoopRecorder()
            let slot = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1)
            recorder.podRequested(slot, identifier: "pod/\(index)", viewer: index, wallMicroseconds: 0)
            recorder.give(.pod("pod/x"), UInt64(index), to: index, in: slot)
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
