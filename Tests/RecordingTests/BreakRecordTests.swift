import ExampleRuns
import Results
import Rules
import Testing

@Suite struct BreakRecordTests {
    private func record(breakLimit: Int = 2_000, _ fill: (LoopRecorder) -> Void) -> [BreakRecord] {
        let recorder = LoopRecorder(breakLimit: breakLimit)
        fill(recorder)
        return RunTotals(merging: [recorder.whole()]).breaks
    }

    @Test func punctualityCountsEachViewerOnce() throws {
        let breaks = record { recorder in
            let slot = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 30_000)
            for _ in 0..<10 { recorder.viewerDue(slot) }
            for offset in [-3_000_000, 2_000_000] as [Int64] { recorder.viewerOnTime(slot, inHandAfterStart: offset) }
            recorder.viewerLate(slot, lateness: 5_000_000)
            recorder.viewerFailed(slot, .podEmpty)
            recorder.viewerFailed(slot, .noSession)
            recorder.viewerSkipped(slot, .joinedLate)
        }
        let record = try #require(breaks.first)
        #expect(record.due == 10 && record.onTime == 2 && record.late == 1 && record.failed == 2)
        #expect(record.skipped == 1 && record.unresolved == 5)
        #expect(
            record.failures(.podEmpty) == 1 && record.failures(.noSession) == 1 && record.failures(.segmentFailed) == 0
        )
        #expect(record.skips(.joinedLate) == 1)
        #expect(record.inHandFirst == -3_000 && record.inHandLast == 2_000)
        #expect((record.latenessMaximumMicroseconds, record.onTimeShare) == (5_000, 0.2))
    }

    @Test func theLatenessOfEachPodManifestThatWasSentStandsInItsBreak() throws {
        func request(_ kind: RequestKind, lateness microseconds: Int64, slot: BreakSlot) -> RequestSample {
            var sample = RequestSample.ended(.failure(.reset), kind, breakSlot: slot)
            sample.sentAt = sample.plannedAt + microseconds * 1_000
            return sample
        }
        let breaks = record { recorder in
            let slot = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1)
            let other = recorder.breakSlot(for: "b", start: 1, durationMilliseconds: 1)
            for microseconds in [40, 2, 700] as [Int64] {
                recorder.record(request(.podManifest, lateness: microseconds, slot: slot))
            }
            recorder.record(request(.podPlaylist, lateness: 9_000, slot: slot))
            recorder.record(request(.podManifest, lateness: 9_000, slot: .outside))
            var unsent = request(.podManifest, lateness: 9_000, slot: slot)
            unsent.sentAt = 0
            recorder.record(unsent)
            var connecting = request(.podManifest, lateness: 5_000, slot: other)
            (connecting.connectMicroseconds, connecting.tlsMicroseconds) = (1_000, 3_000)
            recorder.record(connecting)
            recorder.record(RequestSample.ended(.status(200), .podPlaylist, breakSlot: other))
        }
        try #require(breaks.count == 2)
        #expect((breaks[0].sendLateness.count, breaks[0].sendLateness.minimumMicroseconds) == (3, 2))
        #expect((breaks[0].sendLateness.maximumMicroseconds, breaks[1].sendLateness.count) == (700, 1))
        #expect(breaks[1].sendLateness.maximumMicroseconds == 1_000)
        #expect((breaks[1].playlists.count, breaks[1].manifests.count, breaks[0].playlists.count) == (1, 0, 0))
    }

    @Test func aBreakNobodyWasDueForHasNoShare() throws {
        let breaks = record { _ = $0.breakSlot(for: "a", start: 0, durationMilliseconds: 1) }
        #expect(try #require(breaks.first).onTimeShare == nil)
    }

    @Test func theSameKeyHasTheSameSlot() {
        let recorder = LoopRecorder()
        let first = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1)
        let other = recorder.breakSlot(for: "b", start: 0, durationMilliseconds: 1)
        #expect(first != other)
        #expect(recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1) == first)
    }

    @Test(
        arguments: [
            (-30_000_000, -30_000), (-29_999_001, -30_000), (-29_999_000, -29_999), (-1_001, -2), (-1_000, -1),
            (-1, -1), (0, 0), (999, 0), (1_000, 1), (29_999_000, 29_999), (29_999_999, 29_999),
        ] as [(Int64, Int64)]
    ) func aRequestFallsIntoTheMillisecondOfItsOffset(offset: Int64, milliseconds: Int64) throws {
        let burst = try burst(of: [offset])
        #expect((burst.stepMicroseconds, burst.firstStepMicroseconds) == (1_000, milliseconds * 1_000))
        #expect(burst.counts == [1])
        #expect(burst.earlier == 0 && burst.later == 0)
    }

    @Test(
        arguments: [(-30_000_001, 1, 0), (.min, 1, 0), (30_000_000, 0, 1), (.max, 0, 1)] as [(Int64, UInt64, UInt64)]
    ) func aRequestFarFromTheStartIsCountedApart(offset: Int64, earlier: UInt64, later: UInt64) throws {
        let burst = try burst(of: [offset])
        #expect(burst.counts.allSatisfy { $0 == 0 })
        #expect(burst.earlier == earlier && burst.later == later)
    }

    @Test func theSpreadReachesFromTheFirstRequestToTheLast() throws {
        #expect(try burst(of: [250, -100, 70]).spreadMicroseconds == 350)
    }

    private func burst(of offsets: [Int64]) throws -> BurstWindow {
        let breaks = record { recorder in
            let slot = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1)
            for offset in offsets {
                recorder.podRequested(slot, identifier: "pod/1", viewer: 1, wallMicroseconds: offset)
            }
        }
        return try #require(breaks.first).burst
    }

    @Test func breaksPastTheLimitShareOneRecordWithoutIdentifiers() throws {
        let breaks = record(breakLimit: 2) { recorder in
            for key in ["a", "b", "c", "d", "d"] {
                let slot = recorder.breakSlot(for: key, start: 5, durationMilliseconds: 1)
                recorder.viewerDue(slot)
                recorder.podRequested(slot, identifier: "pod/\(key)", viewer: 1, wallMicroseconds: 5)
                recorder.give(.pod("pod/\(key)"), 1, to: 1, in: slot)
            }
        }
        #expect(breaks.map(\.key) == ["a", "b", BreakRecord.overflowKey])
        let last = try #require(breaks.last)
        #expect(last.due == 3 && last.pods.identifiers.isEmpty && last.pods.pods.isEmpty)
        #expect(last.burst.counts.allSatisfy { $0 == 0 })
    }

    @Test func aSlotThatWasNeverGivenIsIgnored() {
        let breaks = record { recorder in
            for slot in [.outside, .over, .kept(0), .kept(7), .kept(.max), .kept(-1), .kept(.min)] as [BreakSlot] {
                recorder.viewerDue(slot)
                recorder.podRequested(slot, identifier: "x", viewer: 1, wallMicroseconds: 0)
                recorder.give(.pod("x"), 0, to: 0, in: slot)
            }
        }
        #expect(breaks.isEmpty)
    }

    @Test func identifiersAndPodsAreBounded() throws {
        let breaks = record { recorder in
            let slot = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1)
            for viewer in 0..<100 {
                recorder.podRequested(slot, identifier: "pod/\(viewer)", viewer: viewer, wallMicroseconds: 0)
                recorder.give(.pod("pod/1"), UInt64(viewer), to: viewer, in: slot)
            }
        }
        let pods = try #require(breaks.first).pods
        #expect(pods.identifiers.count == PodLedger.identifierLimit)
        #expect(pods.identifiersNotKept == 100 - PodLedger.identifierLimit)
        #expect(pods.pods[.pod("pod/1")]?.count == PodLedger.fingerprintLimit)
        #expect(pods.podsNotKept == 100 - PodLedger.fingerprintLimit)
    }

    @Test func aViewerThatAsksTwiceIsCountedUnderItsFirstIdentifier() throws {
        let breaks = record { recorder in
            let slot = recorder.breakSlot(for: "a", start: 0, durationMilliseconds: 1)
            for identifier in ["pod/1", "pod/1", "pod/2"] {
                recorder.podRequested(slot, identifier: identifier, viewer: 9, wallMicroseconds: 0)
            }
        }
        let identifiers = try #require(breaks.first).pods.identifiers
        #expect(identifiers["pod/1"]?.viewerCount == 1 && identifiers["pod/1"]?.requests == 2)
        #expect(identifiers["pod/2"]?.viewerCount == 0 && identifiers["pod/2"]?.requests == 1)
    }
}
