import Audience
import Recording
import Rulebook
import RunResult
import Testing

@testable import Audit

/// Where another viewer's session is looked for, and of whose session anybody knows.
@Suite struct LeakedSessionTests {
    private static func session(_ number: Int) -> String {
        #"{"stream_id": "00000000-0000-4000-8000-00000000000\#(number):TUL"}"#
    }

    private static func multivariant(_ uri: String) -> String {
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,AVERAGE-BANDWIDTH=90000,CODECS=\"avc1.64001f\"\n\(uri)\n"
    }

    @Test func aChoiceOfVariantsUnderAnothersPathIsFound() throws {
        let bench = try AuditBench(viewers: 2)
        for place in 0..<2 { bench.answer(.registration, Self.session(place), of: place) }
        let own = "/s/00000000-0000-4000-8000-000000000000:TUL/hd.m3u8"
        bench.answer(.multivariant, Self.multivariant(own), of: 0, headers: AuditBench.playlistHeaders)
        #expect(!bench.codes.contains("foreign_stream_id"))
        bench.answer(.multivariant, Self.multivariant(own), of: 1, headers: AuditBench.playlistHeaders)
        #expect(bench.codes.contains("foreign_stream_id"))
    }

    @Test func oneSessionOfTwoViewersIsFoundOnceAtTheSecond() throws {
        let bench = try AuditBench(viewers: 2)
        for place in 0..<2 { bench.answer(.registration, Self.session(0), of: place) }
        let own = "/s/00000000-0000-4000-8000-000000000000:TUL/hd.m3u8"
        for place in 0..<2 {
            bench.answer(.multivariant, Self.multivariant(own), of: place, headers: AuditBench.playlistHeaders)
        }
        let found = try #require(bench.findings.first { $0.code.code == "foreign_stream_id" })
        #expect(found.count == 1 && found.viewers.contains(4))
        #expect(found.first?.evidence.observed.contains("for another viewer") == true)
    }

    /// As of MediaTailor's implicit sessions: nobody registers, and addresses say whose they are.
    @Test func aSessionThatAnAddressStatesIsTheFirstOnes() throws {
        let bench = try AuditBench(viewers: 3)
        for (place, id) in ["f3c9a1b2-0001", "f3c9a1b2-0002", "f3c9a1b2-0001"].enumerated() {
            let text = Self.multivariant("hd.m3u8?aws.sessionId=\(id)")
            bench.answer(.multivariant, text, of: place, headers: AuditBench.playlistHeaders)
        }
        let found = try #require(bench.findings.first { $0.code.code == "foreign_stream_id" })
        #expect(found.count == 1 && found.viewers.contains(5))
    }

    @Test func aSessionsCookieIsTheFirstOnesAndABalancersIsEverybodys() throws {
        let bench = try AuditBench(viewers: 3)
        for (place, id) in ["cookie-one", "cookie-two", "cookie-one"].enumerated() {
            let headers = AuditBench.playlistHeaders.merging(["set-cookie": "playsession=\(id); Path=/"]) { $1 }
            bench.answer(.multivariant, AuditBench.playlist(1), of: place, headers: headers)
        }
        #expect(bench.findings.first { $0.code.code == "foreign_stream_id" }?.count == 1)
        let other = try AuditBench(viewers: 2)
        for place in 0..<2 {
            let headers = AuditBench.playlistHeaders.merging(["set-cookie": "AWSALB=balanced-1; Path=/"]) { $1 }
            other.answer(.multivariant, AuditBench.playlist(1), of: place, headers: headers)
        }
        #expect(!other.codes.contains("foreign_stream_id"))
    }
}
