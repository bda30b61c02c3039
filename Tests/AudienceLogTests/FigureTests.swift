import TestSupport
import Testing

@testable import Tools

@Suite struct FigureTests {
    @Test func aCurveOfLinesIsReducedToTheirEnds() {
        let values = (0...100).map { $0 * 10 } + Array(repeating: 1000, count: 500) + [0, 0, 0]
        let reduction = CurveReduction(values)
        #expect(reduction.points.first == AudienceFigures.Point(at: 0, viewers: 0))
        #expect(reduction.points.last == AudienceFigures.Point(at: values.count - 1, viewers: 0))
        #expect(reduction.points.count <= 6, "\(reduction.points)")
        #expect(reduction.error <= 10)
    }

    @Test(arguments: 1...5) func anyCurveIsKeptWithinItsError(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var viewers = 500
        let values = (0..<5000).map { _ -> Int in
            viewers = max(0, viewers + Int.random(in: -8...8, using: &random))
            return viewers
        }
        let reduction = CurveReduction(values)
        #expect(reduction.points.count <= 120)
        #expect(reduction.points.map(\.viewers).max() == values.max())
        #expect(Double(reduction.error) < 0.2 * Double(values.max() ?? 0), "\(reduction.error)")
        for (left, right) in zip(reduction.points, reduction.points.dropFirst()) {
            for second in left.at...right.at {
                let part = Double(second - left.at) / Double(right.at - left.at)
                let line = Double(left.viewers) + part * Double(right.viewers - left.viewers)
                #expect(abs(line - Double(values[second])) <= Double(reduction.error))
            }
        }
    }

    @Test func oneValueIsACurve() {
        #expect(CurveReduction([7]).points == [AudienceFigures.Point(at: 0, viewers: 7)])
        #expect(CurveReduction([]).points.isEmpty)
    }

    @Test func staysThatAreCutOffCountAsLongAsTheyWereSeen() {
        let lengths: [(seconds: Int, isCutOff: Bool)] = [
            (6, false), (6, false), (6, false), (6, true), (7, false), (9, true), (10, false),
        ]
        let stays = AudienceFigures.Stays(lengths, underWay: 0, weight: 2)
        #expect((stays.whole, stays.cutOff) == (10, 4))
        // 4/7 are left after 6 s, 8/21 after 7 s, none after 10 s.
        #expect(stays.secondsByShareLeft.map(\.value) == [6, 6, 7, 10, 10])
    }

    @Test func theAudienceOfASecondIsWhoWasThere() {
        let count = PresenceCount([(1000, 3000, true), (1500, 9000, true)], start: 1000, seconds: 4)
        #expect(count.viewers == [1, 2, 1, 1, 1])
    }

    @Test func breaksAreWhereManyAskAtOnce() {
        // One at a time, as whoever joins asks for a pre-roll.
        let alone = (0..<50).map { $0 * 1000 }
        let asks = alone + (0..<900).map { 60_000 + $0 } + (0..<800).map { 80_000 + $0 * 5 }
        let (breaks, apart, _) = Self.breaks(of: asks)
        #expect((breaks.map(\.asked), breaks.compactMap(\.share)) == ([900, 800], [0.9, 0.8]))
        #expect(
            (breaks.map(\.atMilliseconds), breaks[0].delayMilliseconds.map(\.value)) == (
                [60_008, 80_035], [441, 801, 882]
            )
        )
        #expect(breaks[1].delayMilliseconds.map(\.value) == [1960, 3560, 3920])
        #expect(apart == 50)
    }

    private static func breaks(of asks: [Int], joining: [Int] = [], hasWholeSeconds: Bool = false) -> (
        breaks: [AudienceFigures.Break], apart: Int, onJoining: Int
    ) {
        BreakSearch(
            asks: asks,
            asksOnJoining: joining,
            viewers: Array(repeating: 1000, count: 120),
            start: 0,
            hasWholeSeconds: hasWholeSeconds,
            weight: 1
        ).found()
    }

    /// All that a stamp of a whole second says is that an ask came before the second's end.
    @Test func wholeSecondsDoNotSayThatAllAskedAtOnce() {
        let asks = Array(repeating: 60_000, count: 600) + Array(repeating: 61_000, count: 300)
        let (breaks, _, _) = Self.breaks(of: asks, hasWholeSeconds: true)
        #expect(
            (breaks.map(\.atMilliseconds), breaks.first?.delayMilliseconds.map(\.value)) == (
                [60_000], [1000, 2000, 2000]
            )
        )
    }

    @Test func whoHasJustComeAsksInTheBreakThatIsThere() {
        // In the second minute only.
        let joining = (0..<100).map { 60_100 + $0 } + (61..<111).map { $0 * 1000 }
        let (breaks, apart, onJoining) = Self.breaks(of: (0..<500).map { 59_800 + $0 }, joining: joining)
        #expect(breaks.map(\.asked) == [600])
        #expect(apart == 0)
        #expect(onJoining == 50)
    }

    @Test func whoComesAsTheAudienceGrowsReplacesNobody() {
        let joins = (0..<60).map { 1000 + $0 * 500 }
        let spans: [PresenceCount.Span] = joins.map { ($0, 60_000 + $0, true) } + [(45_000, 200_000, true)]
        let count = PresenceCount(spans, start: 0, seconds: 120)
        #expect(count.viewers.max() == 61)
        #expect(count.churnPerMinute(besides: 61) == 0)
        let watched = count.viewers.reduce(0, +)
        #expect(count.churnPerMinute(besides: 60) == 60 / Double(watched))
        #expect(count.joinsPerMinuteAtMost == 61)
    }

    @Test func requestsOfAViewerShowItsStaysPollsAndAsks() {
        let requests: [(at: Int64, kind: RequestKind, name: UInt64?)] = [
            (0, .playlist, 1), (100, .playlist, 2), (2000, .ads, 9), (4100, .playlist, 2), (5000, .segment, nil),
            // Ads of the break before, then of the next one.
            (30_000, .ads, 9), (33_000, .ads, 11), (34_000, .segment, nil), (200_000, .playlist, 2),
        ]
        let course = ViewerCourse(requests.map { .init(7, $0.at, $0.kind, named: $0.name) }[...], gap: 60_000)
        #expect((course.stays.map(\.first), course.stays.map(\.last)) == ([0, 200_000], [34_000, 200_000]))
        #expect((course.polls, course.watched, course.beganInMidst) == ([4000], 6, false))
        #expect((course.asksOnJoining, course.asks) == ([2000], [33_000]))
    }

    @Test func aShareOfSortedNumbersIsReachedByTheFirstOfThem() {
        let polls: [UInt16] = [2000, 2005, 2010, 4000]
        #expect((polls.value(reaching: 0.5), polls.value(reaching: 0.9), polls.mean) == (2005, 4000, 2503.75))
        #expect([Int]().value(reaching: 0.5) == nil)
    }

    @Test(arguments: [
        (0.0, "0%"), (1, "100%"), (0.123456, "12.35%"), (0.105, "10.5%"), (0.0101, "1.01%"), (0.1004, "10.04%"),
    ]) func sharesAreWrittenAsProfilesDo(share: Double, text: String) { #expect(FigureText.percent(share) == text) }
}
