import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Which requests carry a trace, and what is kept of who answered.
@Suite struct AnswererTests {
    private static func plan(_ share: Double, _ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan {
        LoadPlan.forTests {
            $0.connection.traceShare = share
            change(&$0)
        }
    }

    // MARK: Traces

    @Test func aShareOfRequestsIsChosenAndAlwaysTheSame() {
        let tracing = RequestTracing(share: 0.01, seed: 9)
        let chosen = (0..<200).flatMap { viewer in
            (1...500).compactMap { tracing.chooses($0, ofViewer: viewer) ? tracing.context($0, ofViewer: viewer) : nil }
        }
        // Six standard deviations of 100,000 draws.
        #expect((810...1_190).contains(chosen.count), "\(chosen.count)")
        #expect(Set(chosen.map(\.traceID)).count == chosen.count)
        #expect(chosen.allSatisfy { $0.traceID != String(repeating: "0", count: 32) })
        let again = RequestTracing(share: 1, seed: 9)
        #expect(again.context(3, ofViewer: 7) == tracing.context(3, ofViewer: 7))
        #expect(again.context(3, ofViewer: 7) != RequestTracing(share: 1, seed: 10).context(3, ofViewer: 7))
        #expect((1...100).allSatisfy { again.chooses($0, ofViewer: 1) })
        #expect(!RequestTracing(share: 0, seed: 9).isOn)
    }

    @Test(arguments: [0.0, 1.0])
    func allOrNoneCarryOneWhereTheProfileSaysSo(share: Double) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan(share), loop: loop)
            scripted.join()
            #expect(scripted.fire(.breakPreparation) && scripted.fire(.breakFetch) && scripted.fire(.reload))
            scripted.transport.answer(.playlist, status: 503)
            scripted.fire(.reload)
            let sent = scripted.transport.sent.map(\.request)
            #expect(sent.count > 6)
            #expect(sent.allSatisfy { ($0.trace == nil) == (share == 0) })
            #expect(Set(sent.compactMap { $0.trace?.traceID }).count == (share == 0 ? 0 : sent.count))
            // What is prepared is prepared without.
            #expect(scripted.crowd.viewers[0].playlistRequest?.trace == nil)
        }
    }

    @Test func aProfileWithATraceOfItsOwnKeepsIt() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let plan = Self.plan(1) { $0.connection.headers = ["Traceparent": "00-1-1-01"] }
            let scripted = try ScriptedCrowd(plan, loop: loop)
            scripted.join()
            #expect(scripted.transport.sent.allSatisfy { $0.request.trace == nil })
        }
    }

    /// A share so small that chance chooses none of these few.
    @Test func whatFollowsAFailureCarriesOne() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan(1e-9), viewers: 1, loop: loop)
            scripted.join()
            #expect(scripted.fire(.reload))
            scripted.transport.answer(.playlist, failure: .firstByteTimeout)
            while scripted.transport.requests(.playlist).count < 3, scripted.fire(.reload) || scripted.fire(.retry) {}
            scripted.answer()
            #expect(scripted.fire(.reload))
            let polls = scripted.transport.requests(.playlist)
            #expect(polls.map { $0.trace != nil } == [false, false, true, false])
            #expect(scripted.transport.sent.count { $0.request.trace != nil } == 1)
        }
    }

    /// The pod is shorter than its break.
    @Test func theRepeatOfAPodThatWasWrongCarriesOneAndItsFindingSaysWhoAnswered() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let plan = Self.plan(1e-9) { $0.pods.repeatShare = 1 }
            let scripted = try ScriptedCrowd(plan, viewers: 1, loop: loop)
            scripted.join()
            scripted.fire(.breakPreparation)
            scripted.fire(.breakFetch)
            let wrong = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nad.m4s\n#EXT-X-ENDLIST\n"
            scripted.transport.answer(.podManifest, headers: ["x-amz-cf-pop": "FRA56-P3"], body: wrong)
            let repeated = try #require(scripted.transport.requests(.podRepeat).first)
            let trace = try #require(repeated.trace)
            #expect(scripted.transport.requests(.podManifest).allSatisfy { $0.trace == nil })
            scripted.transport.remoteAddress = "[2001:db8::1]:443"
            scripted.transport.answer(.podRepeat, body: wrong)
            let totals = RunTotals(merging: [scripted.crowd.totals()])
            let finding = try #require(totals.findings.first { $0.code == .podUnderfilled })
            #expect(finding.first?.evidence.served.address == "192.0.2.1:80")
            #expect(finding.first?.evidence.served.head == "X-Amz-Cf-Pop: FRA56-P3")
            #expect(finding.first?.evidence.served.traceID == "")
            let slow = try #require(totals.slowest.all.first { $0.served.traceID == trace.traceID })
            #expect(slow.kind == .podManifest && slow.served.address == "[2001:db8::1]:443")
        }
    }

    @Test func aFindingSaysWhichTraceItsRequestCarried() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan(1), viewers: 1, loop: loop)
            scripted.join()
            scripted.fire(.breakPreparation)
            scripted.fire(.breakFetch)
            let trace = try #require(scripted.transport.requests(.podManifest).first?.trace)
            let short = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nad.m4s\n#EXT-X-ENDLIST\n"
            scripted.transport.answer(.podManifest, body: short)
            let findings = RunTotals(merging: [scripted.crowd.totals()]).findings
            let finding = try #require(findings.first { $0.code == .podUnderfilled })
            #expect(finding.first?.evidence.served.traceID == trace.traceID)
        }
    }

    // MARK: Answers

    @Test func theSlowestAnswersAreKeptRedactedWithWhoAnswered() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan(0), viewers: 2, loop: loop)
            scripted.join()
            scripted.fire(.breakPreparation)
            scripted.fire(.breakFetch)
            let pod = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nad.m4s\n#EXT-X-ENDLIST\n"
            scripted.transport.answer(
                .podManifest,
                headers: ["via": "1.1 stream_id=00000000-0000-4000-8000-000000000000:TUL", "x-cache": "MISS"],
                body: pod,
                after: .milliseconds(700)
            )
            let totals = RunTotals(merging: [scripted.crowd.totals()])
            let slow = try #require(totals.slowest.all.first { $0.kind == .podManifest })
            #expect(slow.responseMicroseconds == 700_000 && slow.viewer == 0 && slow.outcome == "http_200")
            #expect(slow.served.address == "192.0.2.1:80" && slow.served.head.hasPrefix("X-Cache: MISS; Via: 1.1"))
            #expect(!slow.breakKey.isEmpty && slow.url.contains("/pod"))
            #expect(!slow.url.contains("0000-4000") && !slow.served.head.contains("0000-4000"))
            // Joining is outside any break.
            #expect(totals.slowest.all.contains { $0.kind == .multivariant && $0.breakKey.isEmpty })
            #expect(totals.slowest.all.count { $0.kind == .playlist } <= SlowestAnswers.perBreak)
        }
    }

    @Test func answersAreCountedByEdge() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(Self.plan(0), viewers: 1, loop: loop)
            scripted.join()
            for (pop, failure) in [("FRA", nil), ("FRA", nil), ("AMS", nil), ("FRA", TransportFailure.reset)] {
                while scripted.transport.inFlight == 0, scripted.fire(.reload) || scripted.fire(.retry) {}
                scripted.transport.answer(.playlist, headers: ["x-amz-cf-pop": pop], failure: failure, body: "#EXTM3U")
            }
            let document = RunTotals(merging: [scripted.crowd.totals()])
            let sums = document.edges.edges
            #expect(sums[Edge(address: "192.0.2.1:80", pop: "FRA")]?[.playlist]?.count == 2)
            #expect(sums[Edge(address: "192.0.2.1:80", pop: "AMS")]?[.playlist]?.count == 1)
            // Without an answer nobody names a point of presence.
            #expect(sums[Edge(address: "192.0.2.1:80")]?[.playlist]?.errors == 1)
            let all = sums.values.flatMap(\.values).reduce(0) { $0 + $1.count }
            #expect(all == RequestKind.allCases.reduce(0) { $0 + document.requestCount(of: $1) })
        }
    }
}
