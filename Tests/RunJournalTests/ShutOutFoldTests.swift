import ExampleRuns
import Results
import Rules
import Testing

/// Viewers that knew of no break are due at the breaks that others saw.
@Suite struct ShutOutFoldTests {
    private static let second: Int64 = 1_000_000
    private static func at(_ seconds: Int64) -> Int64 { ExampleRun.start + seconds * second }

    /// A loop whose viewers have a break of the channel at 30 s, their playheads 6 s behind.
    private func watching(_ viewers: Int, meeting: BreakMeeting = .atPlayhead) -> LoopRecorder {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "break", start: Self.at(30), durationMilliseconds: 5_000, meeting: meeting)
        for _ in 0..<viewers {
            recorder.viewerDue(slot)
            recorder.viewerOnTime(slot, inHandAfterStart: 0, wallMicroseconds: Self.at(36))
        }
        return recorder
    }

    private func interval(_ loops: [LoopRecorder], to end: Int64) -> RunInterval {
        var interval = RunInterval(second: 0, of: loops)
        (interval.endMicroseconds, interval.wallMicroseconds) = (end * Self.second, Self.at(end))
        return interval
    }

    private func collector(_ loops: [LoopRecorder], to end: Int64 = 60) -> RunCollector {
        var collector = RunCollector(.example())
        collector.fold(interval(loops, to: end))
        return collector
    }

    private func stretch(
        _ meeting: BreakMeeting = .atPlayhead,
        _ cause: BreakFailure = .noPlaylist,
        from: Int64,
        until: Int64?
    ) -> ShutOut { ShutOut(meeting, cause, from: Self.at(from), until: until.map(Self.at)) }

    /// By when the playhead would have been at the break: 36 s, as those of the others were.
    @Test(arguments: [(10, 50, 1), (10, 36, 1), (36, 50, 1), (10, 35, 0), (37, 50, 0)] as [(Int64, Int64, UInt64)])
    func aViewerIsDueThatWasShutOutWhenItsPlayheadWouldHaveBeenThere(from: Int64, until: Int64, lost: UInt64) throws {
        let other = LoopRecorder()
        other.shutOuts.add(stretch(from: from, until: until))
        let totals = collector([watching(3), other]).totals
        let record = try #require(totals.breaks.first)
        #expect(record.due == 3 + lost && record.onTime == 3)
        #expect(record.failures(.noPlaylist) == lost && record.unresolved == 0)
        #expect(record.personas[0].due == 3 + lost && record.personas[0].failed == lost)
    }

    @Test func aComputedBreakIsMetAtItsInstant() throws {
        let recorder = LoopRecorder()
        _ = recorder.breakSlot(for: "break", start: Self.at(30), durationMilliseconds: 5_000, meeting: .atInstant)
        recorder.shutOuts.add(stretch(.atInstant, .playerGaveUp, from: 29, until: 31))
        recorder.shutOuts.add(stretch(.atPlayhead, .playerGaveUp, from: 29, until: 31))
        let record = try #require(collector([recorder]).totals.breaks.first)
        #expect(record.due == 1 && record.failures(.playerGaveUp) == 1)
    }

    @Test func aBreakThatNoViewerMetIsNoBreakOfThoseWhoWereShutOut() throws {
        let recorder = watching(0)
        recorder.shutOuts.add(stretch(from: 10, until: 50))
        #expect(collector([recorder]).totals.breaks.allSatisfy { $0.due == 0 })
        let own = watching(2, meeting: .individual)
        own.shutOuts.add(stretch(from: 10, until: 50))
        #expect(collector([own]).totals.breaks.first?.due == 2)
    }

    @Test func aStretchThatGoesOnCountsAsFarAsTheRunHasCome() throws {
        let recorder = watching(1)
        recorder.shutOuts.goOn([stretch(from: 10, until: nil): 4])
        #expect(collector([recorder], to: 35).totals.breaks.first?.due == 1)
        let again = watching(1)
        again.shutOuts.goOn([stretch(from: 10, until: nil): 4])
        #expect(collector([again], to: 36).totals.breaks.first?.due == 5)
    }

    @Test func aStretchThatEndsTakesThePlaceOfTheOpenOne() throws {
        let recorder = watching(1)
        var collector = RunCollector(.example())
        recorder.shutOuts.goOn([stretch(from: 10, until: nil): 4])
        collector.fold(interval([recorder], to: 36))
        recorder.shutOuts.goOn([:])
        for _ in 0..<4 { recorder.shutOuts.add(stretch(from: 10, until: 33)) }
        var next = interval([recorder], to: 50)
        next.number = 1
        collector.fold(next)
        #expect((collector.totals.breaks.first?.due, collector.breaksSoFar.failed) == (1, 0))
    }

    @Test func shardsAndJournalsKeepThem() throws {
        let other = LoopRecorder()
        other.shutOuts.add(stretch(.interstitial, from: 10, until: 50))
        other.shutOuts.add(stretch(from: 10, until: 50))
        other.shutOuts.add(stretch(from: 10, until: 50))
        let (one, two) = (collector([watching(3)]), collector([other]))
        let stored = try reread(two)
        #expect(stored == two)
        let sum = try #require(RunCollector.sum(of: [(0, one), (1, stored)]))
        let record = try #require(sum.totals.breaks.first)
        #expect(record.due == 5 && record.failures(.noPlaylist) == 2)
        #expect(sum.breaksSoFar.due == 5)
        #expect(sum.windowResults.map(\.failed).reduce(0, &+) == 2)
    }

    @Test func stretchesWithoutABreakAreForgotten() throws {
        let recorder = watching(1)
        recorder.shutOuts.add(stretch(from: 100, until: 110))
        recorder.shutOuts.add(stretch(from: 20, until: 40))
        var collector = RunCollector(.example())
        collector.fold(interval([recorder], to: 50))
        recorder.forgetShutOuts(before: Self.at(1_000), room: 60 * Self.second)
        var next = interval([recorder], to: 60)
        next.number = 1
        #expect(next.changes.first?.shutOuts.map(\.value) == [0])
        collector.fold(next)
        #expect(collector.totals.breaks.first?.due == 2)
    }
}
