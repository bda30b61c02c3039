import EventLoop
import HLS
import LoadProfile
import Players
import Recording
import Rulebook
import RunResult
import Testing
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What shows in successive versions only to who knows how each was asked for.
@Suite struct PlaylistVersionFindingTests {
    /// Four segments of four seconds up to `end`, and parts of a second of the one after them.
    private static func playlist(end: Int, parts: Int? = 2, more: String = "", offers: String = "YES") -> String {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
        text += "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=\(offers),PART-HOLD-BACK=3\n#EXT-X-MEDIA-SEQUENCE:\(end - 4)\n"
        if parts != nil { text += "#EXT-X-PART-INF:PART-TARGET=1\n" }
        text += more
        for number in (end - 4)..<end { text += "#EXTINF:4,\n\(number).m4s\n" }
        for part in 0..<(parts ?? 0) { text += "#EXT-X-PART:DURATION=1,URI=\"\(end).\(part).m4s\"\n" }
        return text
    }

    private static let dateRange = """
        #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z
        #EXT-X-DATERANGE:ID="a",START-DATE="2026-11-21T20:00:00Z"

        """

    private static func found(_ scripted: ScriptedCrowd) -> [Evidence] {
        let findings = RunTotals(merging: [scripted.crowd.recorder.finish()]).findings
        return findings.filter { $0.code == .blockingReloadIgnored }.compactMap(\.first?.evidence)
    }

    /// A viewer that waits for what comes after `first`.
    private static func waiting(after first: String, _ loop: EventLoop) throws -> ScriptedCrowd {
        let facts = LowLatencyFacts(blocking: .always, skip: .never)
        let scripted = try ScriptedCrowd(.watching(.forTests { $0.lowLatency = facts }), viewers: 1, loop: loop)
        scripted.join()
        #expect(scripted.fire(.reload))
        #expect(scripted.transport.answer(.playlist, body: first))
        return scripted
    }

    /// Advice is no breach, and told all the same.
    @Test func discontinuitySequenceMissing() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(.forTests(), viewers: 1, loop: loop)
            scripted.join()
            let segments = (10...14).map { "#EXTINF:2,\n\($0).m4s\n" }
            let header = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:"
            let first = header + "10\n#EXT-X-DISCONTINUITY\n" + segments[..<4].joined()
            for body in [first, header + "11\n" + segments[1...].joined()] {
                #expect(scripted.fire(.reload))
                #expect(scripted.transport.answer(.playlist, body: body))
            }
            let findings = RunTotals(merging: [scripted.crowd.recorder.finish()]).findings
            let evidence = findings.first { $0.code == .discontinuitySequenceMissing }?.first?.evidence
            #expect(evidence?.observed == "no count after #EXT-X-MEDIA-SEQUENCE:11")
        }
    }

    @Test(arguments: [
        (playlist(end: 10), "part 2 of segment 10"), (playlist(end: 9, parts: 3), "part 3 of segment 9"),
        (playlist(end: 10, more: dateRange), "part 2 of segment 10"), (playlist(end: 10, parts: 3), nil),
        (playlist(end: 11, parts: 0), nil), (playlist(end: 12, parts: 1), nil),
        (playlist(end: 10) + "#EXT-X-ENDLIST\n", nil), (playlist(end: 10, offers: "NO"), nil),
        (playlist(end: 10, parts: nil), nil),
    ])
    func blockingReloadIgnored(body: String, end: String?) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try Self.waiting(after: Self.playlist(end: 10), loop)
            #expect(scripted.transport.answer(.blockingPlaylist, body: body))
            let found = Self.found(scripted)
            #expect(found.count == (end == nil ? 0 : 1))
            guard let end, let evidence = found.first else { return }
            #expect(evidence.expected == "held until part 2 of segment 10 is there, or an error")
            #expect(evidence.observed == "after 0 ms a playlist that ends before \(end)")
            #expect(evidence.url.hasSuffix("?_HLS_msn=10&_HLS_part=2"))
        }
    }

    @Test func whereThereAreNoPartsAWholeSegmentIsWaitedFor() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try Self.waiting(after: Self.playlist(end: 10, parts: nil), loop)
            #expect(scripted.transport.answer(.blockingPlaylist, body: Self.playlist(end: 11, parts: nil)))
            #expect(scripted.transport.answer(.blockingPlaylist, status: 503))
            #expect(Self.found(scripted).isEmpty)
            // Some players ask again at once.
            _ = scripted.fire(.reload)
            #expect(scripted.transport.answer(.playlist, body: Self.playlist(end: 11, parts: nil)))
            #expect(Self.found(scripted).isEmpty, "a plain poll may bring nothing new")
            #expect(scripted.transport.answer(.blockingPlaylist, body: Self.playlist(end: 11, parts: nil)))
            #expect(Self.found(scripted).map(\.observed) == ["after 0 ms a playlist that ends before segment 11"])
        }
    }

    private static let steered = """
        #EXTM3U
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steer"
        #EXT-X-STREAM-INF:BANDWIDTH=800000
        v0/media.m3u8

        """
    private static let manifest = #"{"VERSION":1,"PATHWAY-PRIORITY":["."]}"#

    /// What has a meaning of its own, and what this machine brought about, is no fault of the steering server.
    @Test(
        arguments: [
            (200, nil, manifest, nil), (410, nil, "", nil), (429, nil, "", nil), (503, nil, "", "status 503"),
            (404, nil, "", "status 404"), (0, .reset, "", "no answer: connection_reset"),
            (0, .localResources, "", nil), (0, .abandoned, "", nil),
            (200, nil, "<html>", "no steering manifest"), (200, nil, #"{"VERSION":1}"#, "no steering manifest"),
        ] as [(Int, TransportFailure?, String, String?)]
    )
    func steeringUnavailable(status: Int, failure: TransportFailure?, body: String, observed: String?) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(.watching(.forTests { _ in }), viewers: 1, loop: loop)
            let token = CrowdToken(index: 0, detail: CrowdToken.join)
            scripted.crowd.timerFired(token: token.rawValue, deadline: scripted.start)
            #expect(scripted.transport.answer(.multivariant, body: Self.steered))
            #expect(scripted.transport.answer(.steering, status: status, failure: failure, body: body))
            let findings = RunTotals(merging: [scripted.crowd.recorder.finish()]).findings
            let found = findings.filter { $0.code == .steeringUnavailable }
            #expect(found.map(\.count) == (observed == nil ? [] : [1]))
            guard let observed else { return }
            let evidence = try #require(found.first?.first?.evidence)
            #expect(evidence.observed.hasPrefix(observed))
            #expect(evidence.url.contains("/steer?"))
        }
    }
}
