import Profile
import Results
import Rules
import Testing
import Values

@testable import Audit
@testable import Swarm
@testable import Viewer

/// Sessions of other viewers in the channel's address and in cookies, and what proves whose a session is.
@Suite struct LeakedSessionTests {
    /// Finding of viewers that join with these sessions and are given these playlists and cookies.
    private func finding(sessions: [Int?], _ uris: [String], cookies: [String] = []) -> Finding? {
        let crowd = ScriptedCrowd(viewers: max(sessions.count, uris.count))
        crowd.join()
        for (index, session) in sessions.enumerated() {
            if let session { crowd.answer(.registration, AnswerBody.registration(session), of: index) }
        }
        for (index, uri) in uris.enumerated() {
            let headers = cookies.isEmpty ? [:] : ["set-cookie": "\(cookies[index]); Path=/"]
            let body = AnswerBody.oneVariant.replacing("v0/media.m3u8", with: uri)
            crowd.answer(.multivariant, body, of: index, headers: headers)
        }
        return crowd.findings(.foreignStreamID).first
    }

    private static let own = "/s/\(AnswerBody.streamID())/hd.m3u8"

    @Test func aChoiceOfVariantsUnderAnothersPathIsFound() {
        #expect(finding(sessions: [0, 1], [Self.own]) == nil)
        #expect(finding(sessions: [0, 1], [Self.own, Self.own])?.viewers.contains(1) == true)
    }

    @Test func oneSessionOfTwoViewersIsFoundOnceAtTheSecond() throws {
        let found = try #require(finding(sessions: [0, 0], [Self.own, Self.own]))
        #expect(found.count == 1 && found.viewers.contains(1))
        #expect(found.first?.evidence.observed.contains("for another viewer") == true)
    }

    /// As of MediaTailor's implicit sessions: nobody registers, and addresses say whose they are.
    @Test func aSessionThatAnAddressStatesIsTheFirstOnes() throws {
        let uris = ["f3c9a1b2-0001", "f3c9a1b2-0002", "f3c9a1b2-0001"].map { "hd.m3u8?aws.sessionId=\($0)" }
        let found = try #require(finding(sessions: [], uris))
        #expect(found.count == 1 && found.viewers.contains(2))
    }

    @Test func aSessionsCookieIsTheFirstOnesAndABalancersIsEverybodys() {
        let uris = [String](repeating: "hd.m3u8", count: 3)
        let cookies = ["cookie-one", "cookie-two", "cookie-one"].map { "playsession=\($0)" }
        #expect(finding(sessions: [], uris, cookies: cookies)?.count == 1)
        #expect(finding(sessions: [], uris, cookies: [String](repeating: "AWSALB=balanced-1", count: 3)) == nil)
    }
}

/// Servers of what is wrong are told with it.
@Suite struct ServedByTests {
    private func evidence(_ headers: [String: String]) throws -> Evidence {
        let crowd = try ScriptedCrowd.comparing()
        crowd.transport.remoteAddress = ""
        crowd.give({ _ in AnswerBody.pod(folder: "slate") }, headers: headers)
        #expect(crowd.codes == ["slate_only"])
        return try #require(crowd.findings.first?.first?.evidence)
    }

    @Test func cachesPointsOfPresenceAndIDsAreTold() throws {
        let headers = ["age": "7", "x-cache": "HIT", "via": "1.1 edge-7", "x-amz-cf-pop": "FRA56-P3", "x-other": "no"]
        #expect(try evidence(headers).served.head == "Age: 7; X-Cache: HIT; Via: 1.1 edge-7; X-Amz-Cf-Pop: FRA56-P3")
    }

    @Test func anAnswerThatSaysNothingIsToldWithoutIt() throws { #expect(try evidence([:]).served == .unknown) }

    @Test func aSessionInAHeaderIsRedactedAndALongOneIsCut() throws {
        let id = AnswerBody.streamID()
        let served = try evidence(["via": "edge stream_id=\(id)", "x-cache": String(repeating: "x", count: 5_000)])
            .served.head
        #expect(!served.contains(id) && served.contains("Via: edge "))
        #expect(served.utf8.count < 300)
    }
}

/// The channel's playlists, as the audit of one viewer reads them.
@Suite struct ChannelReadingTests {
    /// Polls of a viewer, each two seconds after the one before and answered with a version of the channel.
    private func polled(_ versions: [Int], _ settings: String = "") throws -> ScriptedCrowd {
        let viewer = try ScriptedCrowd.comparing(settings)
        for version in versions {
            viewer.fire(.reload)
            viewer.answer(.playlist, AnswerBody.media(100 + version))
        }
        return viewer
    }

    @Test func aPolledPlaylistIsParsedOnceAndRecognisedAfterwards() throws {
        let viewer = try polled([1, 1, 1])
        let library = viewer.crowd.auditor.library
        // The multivariant playlist, and the one that all polls brought.
        #expect((library.parsed, library.recognised) == (2, 3))
    }

    @Test func anEqualBodyNeedsNoExamination() throws {
        let viewer = try polled([1])
        let latest = try #require(viewer.machine[.video].versionBefore)
        func isRepeated(_ version: Int, unchanged: Int64) -> Bool {
            Array(AnswerBody.media(100 + version).utf8).withUnsafeBytes {
                let asked = viewer.now.later(by: unchanged)
                return viewer.crowd.auditor.repeated(
                    $0,
                    after: latest,
                    changedAt: viewer.now,
                    asked: asked,
                    viewer.slot().record
                )
            }
        }
        #expect(isRepeated(1, unchanged: 0) && !isRepeated(2, unchanged: 0))
        #expect(!isRepeated(1, unchanged: latest.standstillNanoseconds))
    }

    /// A playlist that stands still is found once; a server may take three of these seconds, and a cache one more.
    @Test(
        arguments: [
            ([Int](repeating: 1, count: 20), "", 1), ([1, 1, 2], "", 0),
            ([1, 1, 2], "playback: {staleAfter: 1.5}", 1),
        ]
    )
    func aPlaylistThatStandsStillIsFoundOnce(versions: [Int], settings: String, count: Int) throws {
        let found = try polled(versions, settings).findings(.playlistStale)
        #expect(found.map(\.count) == (count == 0 ? [] : [1]))
    }

    @Test(arguments: [("text/html", true), ("application/vnd.apple.mpegurl", false)])
    func aWrongTypeIsFoundInTheHead(type: String, isFound: Bool) {
        let viewer = ScriptedCrowd()
        viewer.join()
        viewer.answer(.multivariant, headers: ["content-type": type])
        #expect(viewer.findings(.contentTypeWrong).isEmpty != isFound)
    }
}
