import Foundation
import Rulebook
import Testing

@testable import Recording

@Suite struct LeftOutLedgerTests {
    private static func key(_ host: String, _ kind: RequestKind = .metadata) -> LeftOutLedger.Key {
        LeftOutLedger.Key(kind, host: host, field: "target.podServing.authorisedHosts")
    }

    private static func ledger(_ hosts: some Sequence<String>) -> LeftOutLedger {
        hosts.reduce(into: LeftOutLedger()) { $0.count(key($1)) }
    }

    /// More hosts than are kept, each several times.
    private static let met = (0..<200).map { "\($0 % 50).example.com" }

    @Test func requestsAreCountedByKindAndHost() {
        var ledger = Self.ledger(["b", "a", "b"])
        ledger.count(Self.key("a", .podSegment))
        #expect(ledger.requests == 4)
        #expect(ledger.rows == [Self.key("a"): 1, Self.key("b"): 2, Self.key("a", .podSegment): 1])
    }

    @Test func hostsAreFewAndShort() throws {
        let ledger = Self.ledger(Self.met + [String(repeating: "x", count: 4_000)])
        #expect(ledger.requests == 201 && ledger.rows.count == LeftOutLedger.limit)
        let long = try #require(Self.ledger([String(repeating: "e\u{301}", count: 4_000)]).rows.keys.first)
        #expect(long.host.unicodeScalars.count == LeftOutLedger.hostLimit)
    }

    @Test(arguments: 1...7) func howARunIsCutAndInWhichOrderDoesNotMatter(parts: Int) {
        let whole = Self.ledger(Self.met)
        let pieces = (0..<parts).map { part in
            Self.ledger(Self.met.enumerated().filter { $0.offset % parts == part }.map(\.element))
        }
        for order in [pieces, pieces.reversed()] {
            #expect(order.reduce(into: LeftOutLedger()) { $0.add($1) } == whole)
        }
    }

    @Test func anIntervalCarriesWhatWasNewAndTheJournalKeepsIt() throws {
        let recorder = LoopRecorder()
        var sum = Accumulation()
        for (number, host) in ["a", "b", "b"].enumerated() {
            recorder.leftOut(Self.key(host))
            recorder.liveEdge(ageMicroseconds: 5 - Int64(number))
            var interval = RunInterval(
                number: number,
                startMicroseconds: 0,
                endMicroseconds: 1,
                wallMicroseconds: 1,
                health: HealthSample(wallMicroseconds: 1)
            )
            interval.add(recorder.takeInterval(), index: 0)
            let read = try JSONDecoder().decode(RunInterval.self, from: JSONEncoder().encode(interval))
            #expect(read == interval && read.leftOut == Self.ledger([host]))
            #expect(read.channelClock.offset == Int64(number) - 5)
            sum.add(read)
        }
        #expect(sum.leftOut == Self.ledger(["a", "b", "b"]) && sum.channelClock.offset == -3)
        let stored = try JSONDecoder().decode(Accumulation.self, from: JSONEncoder().encode(sum))
        #expect(stored == sum)
        let next = recorder.takeInterval()
        #expect(next.leftOut.isEmpty)
    }

    @Test func aKindThatIsUnknownIsRefused() {
        let text = #"{"requests":1,"rows":[{"kind":"nothing","host":"a","field":"","requests":1}]}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(LeftOutLedger.self, from: Data(text.utf8)) }
    }

    /// The clock of the channel is that of its freshest playlist, and live latency goes by it where it is ahead.
    @Test(arguments: [(30_000_000, 36_000_000), (-5_000_000, 6_000_000), (0, 6_000_000)])
    func liveLatencyGoesByAChannelThatIsAhead(offset: Int64, expected: Int64) {
        let recorder = LoopRecorder()
        recorder.liveEdge(ageMicroseconds: -offset)
        recorder.liveEdge(ageMicroseconds: -offset + 1_500_000)
        let slot = recorder.breakSlot(for: "a", start: 100_000_000, durationMilliseconds: 10_000)
        recorder.viewerOnTime(slot, inHandAfterStart: -1_000_000_000, wallMicroseconds: 105_000_000)
        var sum = Accumulation()
        sum.add(recorder.finish())
        #expect(sum.channelClock.offset == offset)
        #expect(sum.liveLatency.count == 1)
        #expect(abs(sum.liveLatency.maximumMicroseconds - expected) <= expected / 100)
    }
}
