import HLS
import Testing
import Values

@testable import AdServing

/// Targets with URL templates, in literal bytes: what a viewer asks, and what it makes of answers.
@Suite struct TargetTests {
    private let viewer = ViewerIdentity(number: 7, primaryID: "0A1B2C3D-0000-4000-8000-00000000000F")

    private func session(_ target: URLTemplateTarget, _ json: String, from url: String) throws -> StreamSession {
        try Array(json.utf8).withUnsafeBytes { bytes throws(AdServingError) in
            try target.session(json: bytes, from: url)
        }
    }

    // MARK: Templates

    private static let templates = URLTemplateTarget(
        session: URLTemplateTarget.Session(
            url: "https://ads.example/s?v={viewer}",
            body: #"{"id":"{primary_id}","x":{"viewer":{viewer}}}"#,
            streamID: "/session/ids/1"
        ),
        content: "https://live.example/{stream_id}/master.m3u8",
        pod: "https://ads.example/pod/{break}.m3u8?s={stream_id}&t={start}&d={duration_ms}&v={viewer}",
        sessionEnds: [410]
    )

    @Test func templatesMakeTheSessionTheContentAndThePod() throws {
        let target = Self.templates
        #expect(target.contentNeedsSession)
        let request = try #require(target.sessionRequest(of: viewer))
        #expect((request.method, request.url) == (.post, "https://ads.example/s?v=7"))
        #expect(request.body == #"{"id":"0A1B2C3D-0000-4000-8000-00000000000F","x":{"viewer":7}}"#)
        #expect(request.contentType == "application/json")
        let answer = try session(target, #"{"session": {"ids": ["x", "a/b c"]}}"#, from: request.url)
        #expect(answer.streamID == StreamID("a/b c"))
        #expect(
            target.contentURL(of: viewer, streamID: answer.streamID) == "https://live.example/a%2Fb%20c/master.m3u8"
        )
        let pod = target.podURL(
            of: viewer,
            streamID: StreamID("a/b"),
            breakID: "break-1",
            startSeconds: 1_700_000_000,
            durationMilliseconds: 30_000
        )
        #expect(pod == "https://ads.example/pod/break-1.m3u8?s=a%2Fb&t=1700000000&d=30000&v=7")
    }

    @Test func theAnswerMayHoldTheContentURL() throws {
        var target = Self.templates
        target.session?.content = "/url"
        let answer = try session(
            target,
            #"{"session": {"ids": [1, 22]}, "url": "../m.m3u8"}"#,
            from: "https://a.example/b/c"
        )
        #expect((answer.streamID, answer.contentURL) == (StreamID("22"), "https://a.example/m.m3u8"))
        #expect(target.contentURL(of: viewer, streamID: answer.streamID) == nil)
    }

    @Test func withoutASessionTheContentIsThereAtOnce() throws {
        let target = URLTemplateTarget(content: "https://live.example/m.m3u8?u={primary_id}")
        #expect(target.sessionRequest(of: viewer) == nil && !target.contentNeedsSession)
        #expect(
            target.contentURL(of: viewer, streamID: nil)
                == "https://live.example/m.m3u8?u=0A1B2C3D-0000-4000-8000-00000000000F"
        )
    }

    @Test(arguments: ["{", "a}", "{nobody}", "{viewer", "{}", "{{x}"]) func otherBracesStay(_ text: String) {
        #expect(viewer.filled(text) == text && viewer.filled("\(text){viewer}}") == "\(text)7}")
    }

    @Test func everyPlaceholderIsFilledAndEncoded() {
        for name in Placeholders.ofPod.dropFirst(Placeholders.ofViewer.count) {
            #expect(viewer.filled(url: "a{\(name)}b", [name: "x/y"]) == "ax%2Fyb")
            #expect(viewer.filled(url: "a{\(name)}b") == "ab")
            #expect(Placeholders.names(in: "a{\(name)}b") == [name])
        }
        let quoted = ViewerIdentity(number: 7, primaryID: "", traits: ["t": "x\"\n"])
        let target = URLTemplateTarget(session: URLTemplateTarget.Session(body: "{t}"))
        #expect(target.sessionRequest(of: quoted)?.body == #"x\"\u000a"#)
    }

    @Test(
        arguments: [
            ("/a", "1"), ("/b/0", "x"), ("/b/1/c~1d", "y"), ("/e~0f", "z"), ("/b/2", nil), ("/b/01", nil),
            ("/a/b", nil), ("/none", nil), ("", nil), ("/g", nil), ("/h", nil),
        ] as [(String, String?)]
    ) func pointersFindTextAndWholeNumbers(_ pointer: String, found: String?) throws {
        let json = #"{"a": 1, "b": ["x", {"c/d": "y"}], "e~f": "z", "g": 1.5, "h": ""}"#
        let document = try Array(json.utf8).withUnsafeBytes { bytes throws(AdServingError) in
            JSONValue.object(try JSONValue.object(in: bytes))
        }
        #expect(document.text(at: pointer) == found)
    }

    @Test func aSessionOfMegabytesIsRefused() throws {
        let long = String(repeating: "a/../", count: 200_000)
        var target = Self.templates
        target.session?.content = "/manifestUrl"
        #expect(throws: AdServingError.textTooLong) {
            try session(target, "{\"manifestUrl\":\"\(long)\"}", from: "https://h/")
        }
    }

    // MARK: Identity

    @Test func aPrimaryIDIsARandomUUIDAndTheSameInEveryRun() {
        let own = ViewerIdentity(number: 3, seed: 1)
        #expect(own == ViewerIdentity(number: 3, seed: 1))
        #expect(own.primaryID != ViewerIdentity(number: 4, seed: 1).primaryID)
        #expect(own.primaryID != ViewerIdentity(number: 3, seed: 2).primaryID)
        for number in 0..<200 {
            let parts = ViewerIdentity(number: number, seed: 9).primaryID.split(separator: "-")
            #expect((parts.map(\.count), parts[2].first) == ([8, 4, 4, 4, 12], "4"))
            #expect("89ab".contains(parts[3].first ?? " "))
            #expect(parts.joined().allSatisfy { "0123456789abcdef".contains($0) })
        }
    }
}
