import Audience
import Recording
import RunResult
import Testing

@testable import Audit

/// Who served what is wrong is told with it.
@Suite struct ServedByTests {
    private static let pod =
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n/slate/0.ts\n#EXTINF:5,\n/slate/1.ts\n#EXT-X-ENDLIST\n"

    private func evidence(_ headers: [String: String]) throws -> Evidence {
        let bench = try AuditBench()
        let serial = try bench.askForPod()
        let all = AuditBench.playlistHeaders.merging(headers) { $1 }
        bench.answer(.podManifest, Self.pod, breakSerial: serial, headers: all)
        #expect(bench.codes == ["slate_only"])
        return try #require(bench.findings.first?.first?.evidence)
    }

    @Test func cachesPointsOfPresenceAndIDsAreTold() throws {
        let headers = ["age": "7", "x-cache": "HIT", "via": "1.1 edge-7", "x-amz-cf-pop": "FRA56-P3", "x-other": "no"]
        #expect(try evidence(headers).served.head == "Age: 7; X-Cache: HIT; Via: 1.1 edge-7; X-Amz-Cf-Pop: FRA56-P3")
    }

    @Test func anAnswerThatSaysNothingIsToldWithoutIt() throws { #expect(try evidence([:]).served == .unknown) }

    @Test func aSessionInAHeaderIsRedactedAndALongOneIsCut() throws {
        let id = "00000000-0000-4000-8000-000000000000:TUL"
        let served = try evidence(["via": "edge stream_id=\(id)", "x-cache": String(repeating: "x", count: 5_000)])
            .served.head
        #expect(!served.contains(id) && served.contains("Via: edge "))
        #expect(served.utf8.count < 300)
    }
}
