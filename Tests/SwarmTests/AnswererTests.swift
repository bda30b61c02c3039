import Profile
import Results
import Rules
import Testing
import Transport

@testable import Swarm
@testable import Viewer

@Suite struct AnswererTests {
    private static func plan(_ share: Double, _ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan {
        LoadPlan.forTests {
            $0.connection.traceShare = share
            change(&$0)
        }
    }

    private static func atBreak(_ share: Double, _ change: (inout LoadPlan) -> Void = { _ in }) -> ScriptedCrowd {
        let crowd = ScriptedCrowd.allWatching(plan(share, change))
        crowd.advance(seconds: 20)
        return crowd
    }

    // MARK: Traces

    @Test func aShareOfRequestsIsChosenAndAlwaysTheSame() {
        let tracing = RequestTracing(share: 0.01, seed: 9)
        let chosen = (0..<200).flatMap { viewer in (1...500).compactMap { tracing.context($0, ofViewer: viewer) } }
        // Six standard deviations of 100,000 draws.
        #expect((810...1_190).contains(chosen.count), "\(chosen.count)")
        #expect(Set(chosen.map(\.traceID)).count == chosen.count)
        #expect(chosen.allSatisfy { $0.traceID != String(repeating: "0", count: 32) })
        let again = RequestTracing(share: 1, seed: 9)
        #expect(again.context(3, ofViewer: 7) == tracing.context(3, ofViewer: 7, isChosen: true))
        #expect(again.context(3, ofViewer: 7) != RequestTracing(share: 1, seed: 10).context(3, ofViewer: 7))
        #expect((1...100).allSatisfy { again.context($0, ofViewer: 1) != nil })
        #expect(!RequestTracing(share: 0, seed: 9).isOn)
    }

    /// A profile that sends a trace of its own keeps it.
    @Test(arguments: [(0.0, nil), (1, nil), (1, "Traceparent")] as [(Double, String?)])
    func allOrNoneCarryOneWhereTheProfileSaysSo(share: Double, header: String?) {
        let crowd = Self.atBreak(share) { if let header { $0.connection.headers = [header: "00-1-1-01"] } }
        crowd.answer(.playlist, status: 503)
        crowd.advance(seconds: 1)
        let sent = crowd.transport.sent.map(\.transfer.request)
        #expect(sent.count > 6)
        let isTraced = share > 0 && header == nil
        #expect(sent.allSatisfy { ($0.trace != nil) == isTraced })
        #expect(Set(sent.compactMap { $0.trace?.traceID }).count == (isTraced ? sent.count : 0))
        // What is prepared is prepared without.
        #expect(crowd.slot().playlistRequest?.trace == nil)
    }

    /// A share so small that chance chooses none of these few.
    @Test func whatFollowsAFailureCarriesOne() {
        let crowd = ScriptedCrowd.allWatching(Self.plan(1e-9))
        for failure in [.firstByteTimeout, nil, nil] as [TransportFailure?] {
            crowd.fire(.reload)
            crowd.answer(.playlist, failure: failure)
        }
        #expect(crowd.transport.requests(.playlist).map { $0.trace != nil } == [false, false, true, false])
        #expect(crowd.transport.sent.count { $0.transfer.request.trace != nil } == 1)
    }

    /// The pod is shorter than its break.
    @Test func theRepeatOfAPodThatWasWrongCarriesOneAndItsFindingSaysWhoAnswered() throws {
        let crowd = Self.atBreak(1e-9) { $0.pods.repeatShare = 1 }
        crowd.answer(.podManifest, AnswerBody.pod([4]), headers: ["x-amz-cf-pop": "FRA56-P3"])
        let trace = try #require(crowd.transport.requests(.podRepeat).first?.trace)
        #expect(crowd.transport.requests(.podManifest).allSatisfy { $0.trace == nil })
        crowd.transport.remoteAddress = "[2001:db8::1]:443"
        crowd.answer(.podRepeat, AnswerBody.pod([4]))
        let served = try #require(crowd.findings(.podUnderfilled).first?.first?.evidence.served)
        #expect(served.address == "192.0.2.1:80" && served.head == "X-Amz-Cf-Pop: FRA56-P3" && served.traceID == "")
        let slow = try #require(crowd.totals.slowest.all.first { $0.sighting.evidence.served.traceID == trace.traceID })
        #expect(slow.kind == .podManifest && slow.sighting.evidence.served.address == "[2001:db8::1]:443")
    }

    @Test func aFindingSaysWhichTraceItsRequestCarried() throws {
        let crowd = Self.atBreak(1)
        let trace = try #require(crowd.transport.requests(.podManifest).first?.trace)
        crowd.answer(.podManifest, AnswerBody.pod([4]))
        #expect(crowd.findings(.podUnderfilled).first?.first?.evidence.served.traceID == trace.traceID)
    }

    // MARK: Answers

    @Test func theSlowestAnswersAreKeptRedactedWithWhoAnswered() throws {
        let crowd = Self.atBreak(0)
        let headers = ["via": "1.1 stream_id=\(AnswerBody.streamID())", "x-cache": "MISS"]
        crowd.answer(.podManifest, AnswerBody.pod([10]), headers: headers, after: 0.7)
        let slowest = crowd.totals.slowest
        let slow = try #require(slowest.all.first { $0.kind == .podManifest })
        let (url, served) = (slow.sighting.evidence.url, slow.sighting.evidence.served)
        #expect(slow.responseMicroseconds == 700_000 && slow.sighting.viewer == 0 && slow.outcome == "http_200")
        #expect(served.address == "192.0.2.1:80" && served.head.hasPrefix("X-Cache: MISS; Via: 1.1"))
        #expect(!slow.breakKey.isEmpty && url.contains("/pod"))
        #expect(!url.contains("0000-4000") && !served.head.contains("0000-4000"))
        // Joining is outside any break.
        #expect(slowest.all.contains { $0.kind == .multivariant && $0.breakKey.isEmpty })
        #expect(slowest.all.count { $0.kind == .playlist } <= SlowestAnswers.perBreak)
    }

    @Test func answersAreCountedByEdge() {
        let crowd = ScriptedCrowd.allWatching()
        for (pop, failure) in [("FRA", nil), ("FRA", nil), ("AMS", nil), ("FRA", TransportFailure.reset)] {
            crowd.fire(.reload)
            crowd.answer(.playlist, "#EXTM3U", failure: failure, headers: ["x-amz-cf-pop": pop])
        }
        let totals = crowd.totals
        let sums = totals.edges
        #expect(sums[Edge(address: "192.0.2.1:80", pop: "FRA")]?[.playlist]?.count == 2)
        #expect(sums[Edge(address: "192.0.2.1:80", pop: "AMS")]?[.playlist]?.count == 1)
        // Without an answer nobody names a point of presence.
        #expect(sums[Edge(address: "192.0.2.1:80")]?[.playlist]?.errors == 1)
        let all = sums.values.flatMap(\.values).reduce(0) { $0 + $1.count }
        #expect(all == RequestKind.allCases.reduce(0) { $0 + totals.requestCount(of: $1) })
    }

    @Test func answersOfCachesAreCountedByEdgeAndKind() throws {
        let crowd = ScriptedCrowd.allWatching()
        for cache in ["MISS", "Hit from cloudfront", "MISS, HIT", nil] {
            crowd.fire(.reload)
            crowd.answer(.playlist, "#EXTM3U", headers: cache.map { ["x-cache": $0] } ?? [:])
        }
        let kinds = try #require(crowd.totals.edges[Edge(address: "192.0.2.1:80")])
        let playlists = try #require(kinds[.playlist])
        #expect(playlists.cacheHits == 2 && playlists.cacheMisses == 1)
        #expect(kinds.filter { $0.key != .playlist }.allSatisfy { $0.value.cacheHits + $0.value.cacheMisses == 0 })
    }

    @Test func aKindThatNamesNoCacheIsNotSearchedForEver() throws {
        let crowd = ScriptedCrowd.allWatching()
        for answer in 0..<40 {
            crowd.fire(.reload)
            crowd.answer(.playlist, "#EXTM3U", headers: answer < 36 ? [:] : ["age": "7"])
        }
        let playlists = try #require(crowd.totals.edges[Edge(address: "192.0.2.1:80")]?[.playlist])
        #expect(playlists.count >= 40 && playlists.cacheHits == 0)
    }

    @Test func hostsThatAreNotAuthorisedAreNamedWithoutWhatTheirAddressesCarry() {
        let crowd = ScriptedCrowd.allWatching()
        crowd.advance(seconds: 10)
        crowd.answer(.metadata, failure: .unauthorisedHost)
        let location = "https://token@cdn.example.com:8443/a?sig=secret"
        crowd.answer(.playlist, failure: .unauthorisedHost, headers: ["location": location])
        let leftOut = crowd.totals.leftOut
        #expect(leftOut.requests == 2 && leftOut.rows.allSatisfy { $0.value == 1 })
        #expect(Set(leftOut.rows.map(\.key.host)) == ["127.0.0.1:8080", "cdn.example.com:8443"])
        let fields = Dictionary(uniqueKeysWithValues: leftOut.rows.map { ($0.key.kind.name, $0.key.field) })
        #expect(fields == ["metadata": "connection.headerHosts", "playlist": "target.podServing.authorisedHosts"])
    }

    /// Warnings of the ad server are kept redacted, and those of others are not looked at.
    @Test func warningsInTheHeadsOfAnswersAreKept() throws {
        let header = "x-ad-manager-dai-warning"
        let crowd = Self.atBreak(0) { $0.pods.repeatShare = 1 }
        crowd.answer(.playlist, headers: [header: "of the channel"])
        let text = "SCTE 35 of \(AnswerBody.streamID()) cannot be read"
        crowd.answer(.podManifest, AnswerBody.pod([10]), headers: [header: text])
        crowd.answer(.podRepeat, AnswerBody.pod([10]), headers: [header: text])
        let totals = crowd.totals
        #expect(totals.warnings.kinds.mapValues(\.answers) == [.podManifest: 2])
        let kept = try #require(totals.warnings.kinds[.podManifest]?.texts.first)
        #expect(kept.value == 2 && kept.key.hasPrefix("SCTE 35 of ") && !kept.key.contains("0000-4000"), "\(kept.key)")
        #expect(crowd.codes == [], "a warning is no finding")
    }
}
