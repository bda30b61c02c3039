import Measurement
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
                recorder.podRequested(slot, identifier: identifier, viewer: viewer, wallMicroseconds: 1)
            }
        }
        let split = try #require(found.first)
        #expect(found.count == 1 && split.code == .breakIdentifierSplit)
        #expect(split.count == 3 && split.viewers.count == 3 && split.viewersAsked == 10)
        #expect(split.shares.map(\.label) == ["pod/1", "pod/2", "pod/3"])
        #expect(split.shares.map(\.share) == [0.7, 0.2, 0.1])
        #expect(split.first?.viewer == 7)
        #expect(split.first?.evidence.observed == "2 of 10 viewers asked for pod/2")
    }

    @Test func viewersThatAgreeAreNoFinding() {
        let found = findings { recorder, slot in
            for viewer in 0..<10 {
                recorder.podRequested(slot, identifier: "pod/1", viewer: viewer, wallMicroseconds: 1)
                recorder.podObserved(
                    slot,
                    identifier: "pod/1",
                    fingerprint: 5,
                    viewer: viewer,
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
                    identifier: "pod/1",
                    fingerprint: viewer == 3 ? 0xab : 0xcd,
                    viewer: viewer,
                    evidence: evidence("pod of \(viewer)")
                )
            }
        }
        let mismatch = try #require(found.first)
        #expect(found.count == 1 && mismatch.code == .podMismatch)
        #expect(mismatch.count == 1 && mismatch.viewers.contains(3) && mismatch.viewersAsked == 5)
        #expect(mismatch.shares.map(\.label) == ["pod/1 #00000000000000cd", "pod/1 #00000000000000ab"])
        #expect(mismatch.first?.evidence.url == "pod of 3")
        #expect(mismatch.first?.evidence.expected == "the pod of 4 of 5 viewers")
    }

    @Test func aChangedPodOfTheSameViewerIsNoMismatch() {
        let found = findings { recorder, slot in
            for fingerprint in [1, 2] as [UInt64] {
                recorder.podObserved(
                    slot,
                    identifier: "pod/1",
                    fingerprint: fingerprint,
                    viewer: 1,
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
                identifier: "pod/x",
                fingerprint: UInt64(index),
                viewer: index,
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
