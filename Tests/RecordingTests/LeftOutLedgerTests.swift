import Rules
import Testing

@testable import Results

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

    /// The clock of the channel is that of its freshest playlist, and live latency goes by it where it is ahead.
    @Test(arguments: [(30_000_000, 36_000_000), (-5_000_000, 6_000_000), (0, 6_000_000)])
    func liveLatencyGoesByAChannelThatIsAhead(offset: Int64, expected: Int64) {
        let recorder = LoopRecorder()
        recorder.liveEdge(ageMicroseconds: -offset)
        recorder.liveEdge(ageMicroseconds: -offset + 1_500_000)
        let slot = recorder.breakSlot(for: "a", start: 100_000_000, durationMilliseconds: 10_000)
        recorder.viewerOnTime(slot, inHandAfterStart: -1_000_000_000, wallMicroseconds: 105_000_000)
        var sum = RunSums()
        sum.add(recorder.whole())
        #expect((sum.channelClock.offset, sum.liveLatency.count) == (offset, 1))
        #expect(abs(sum.liveLatency.maximumMicroseconds - expected) <= expected / 100)
    }
}
