import HLS
import Testing
import Values

@testable import AdServing

/// The shapes of targets other than Google's, in literal bytes: what a viewer asks, and what it makes of answers.
@Suite struct TargetAdapterTests {
    private let viewer = ViewerIdentity(number: 7, primaryID: "0A1B2C3D-0000-4000-8000-00000000000F")

    private func session(_ adapter: TargetAdapter, _ json: String, from url: String) throws -> StreamSession {
        try Array(json.utf8).withUnsafeBytes { bytes throws(AdServingError) in
            try adapter.session(json: bytes, from: url)
        }
    }

    // MARK: MediaTailor

    private func mediaTailor(_ session: MediaTailorTarget.Session, reporting: MediaTailorTarget.Reporting? = nil)
        -> TargetAdapter
    {
        .mediaTailor(
            MediaTailorTarget(
                server: "https://a.mediatailor.us-east-1.amazonaws.com",
                asset: "111122223333/live/index.m3u8",
                session: session,
                adsParameters: ["player": "p {viewer}", "consent": "a&b"],
                manifestParameters: ["test": "123"],
                reporting: reporting
            )
        )
    }

    @Test func anImplicitMediaTailorSessionIsMadeByItsFirstPlaylist() {
        let adapter = mediaTailor(.implicit)
        #expect(!adapter.hasSession && !adapter.contentNeedsSession)
        #expect(adapter.sessionRequest(of: viewer) == nil)
        #expect(
            adapter.contentURL(of: viewer, streamID: nil) == """
                https://a.mediatailor.us-east-1.amazonaws.com/v1/master/111122223333/live/index.m3u8\
                ?aws.insertionMode=GUIDED&ads.consent=a%26b&ads.player=p%207&manifest.test=123
                """
        )
    }

    @Test func anExplicitMediaTailorSessionIsAPostWithJSON() {
        let adapter = mediaTailor(.explicit)
        #expect(adapter.hasSession && adapter.contentNeedsSession)
        let expected = SessionRequest(
            .post,
            url: "https://a.mediatailor.us-east-1.amazonaws.com/v1/session/111122223333/live/index.m3u8",
            body: """
                {"adsParams":{"consent":"a&b","player":"p 7"},"insertionMode":"GUIDED",\
                "manifestParams":{"test":"123"}}
                """,
            contentType: "application/json"
        )
        #expect(adapter.sessionRequest(of: viewer) == expected)
        #expect(adapter.contentURL(of: viewer, streamID: nil) == nil)
    }

    @Test(
        arguments: [
            (nil, "GUIDED&ads.consent", #""123"}}"#),
            (.server, "GUIDED&ads.consent", #""123"},"reportingMode":"server"}"#),
            (.client, "GUIDED&aws.reportingMode=CLIENT&ads.consent", #""123"},"reportingMode":"client"}"#),
        ] as [(MediaTailorTarget.Reporting?, String, String)]
    )
    func whoReportsIsSaidAtTheBeginning(_ reporting: MediaTailorTarget.Reporting?, query: String, body: String) throws {
        let implicit = mediaTailor(.implicit, reporting: reporting)
        #expect(implicit.contentURL(of: viewer, streamID: nil)?.contains("insertionMode=\(query)=") == true)
        let explicit = mediaTailor(.explicit, reporting: reporting)
        #expect(try #require(explicit.sessionRequest(of: viewer)?.body).hasSuffix(body))
        #expect(implicit.isReportedByClient == (reporting == .client))
        #expect(explicit.isReportedByClient == (reporting == .client))
        #expect(!TargetAdapter.podServing.isReportedByClient)
    }

    /// The answer of the user guide's own example.
    @Test func theAnswerNamesThePlaylistOfTheSession() throws {
        let url = "https://a.mediatailor.us-east-1.amazonaws.com/v1/session/111122223333/originId/index.m3u8"
        let answer = try session(
            mediaTailor(.explicit),
            """
            { "manifestUrl": "/v1/master/111122223333/originId/index.m3u8?aws.sessionId=session&test=123",
              "trackingUrl": "/v1/tracking/111122223333/originId/session?test=123" }
            """,
            from: url
        )
        #expect(answer.streamID == StreamID("session"))
        #expect(
            answer.contentURL == """
                https://a.mediatailor.us-east-1.amazonaws.com/v1/master/111122223333/originId/index.m3u8\
                ?aws.sessionId=session&test=123
                """
        )
    }

    @Test(arguments: ["{}", #"{"manifestUrl": 5}"#, #"{"manifestUrl": ""}"#])
    func anAnswerWithoutAPlaylistIsNoSession(_ json: String) throws {
        let answer = try session(mediaTailor(.explicit), json, from: "https://a.example/v1/session/x")
        #expect((answer.streamID, answer.contentURL) == (nil, nil))
    }

    @Test func aSessionWithoutAnIDIsNamedByItsPlaylist() throws {
        let answer = try session(
            mediaTailor(.explicit),
            #"{"manifestUrl": "https://b.example/v1/master/x/index.m3u8"}"#,
            from: "https://a.example/v1/session/x"
        )
        #expect(answer.streamID == StreamID("https://b.example/v1/master/x/index.m3u8"))
    }

    @Test func aBadRequestEndsAMediaTailorSessionAndNothingElseDoes() {
        #expect(mediaTailor(.implicit).sessionEndStatuses == [400])
        #expect(TargetAdapter.podServing.sessionEndStatuses.isEmpty)
    }

    // MARK: Eyevinn

    @Test func theGuidedProxyNeedsNoSession() {
        let plain = TargetAdapter.eyevinnProxy(EyevinnProxyTarget(master: "http://127.0.0.1:3333/loop/master.m3u8"))
        #expect(!plain.hasSession)
        #expect(plain.contentURL(of: viewer, streamID: nil) == "http://127.0.0.1:3333/loop/master.m3u8")
        let asked = TargetAdapter.eyevinnProxy(
            EyevinnProxyTarget(master: "http://127.0.0.1/m.m3u8?a=1", parameters: ["uid": "{primary_id}", "k": "v w"])
        )
        #expect(
            asked.contentURL(of: viewer, streamID: nil)
                == "http://127.0.0.1/m.m3u8?a=1&k=v%20w&uid=0A1B2C3D-0000-4000-8000-00000000000F"
        )
    }

    // MARK: Templates

    private func template(_ text: String) throws -> URLTemplate { try #require(URLTemplate(text)) }

    private func templates() throws -> URLTemplateTarget {
        URLTemplateTarget(
            session: URLTemplateTarget.Session(
                method: .post,
                url: try template("https://ads.example/s?v={viewer}"),
                body: URLTemplate(body: #"{"id":"{primary_id}","x":{"viewer":{viewer}}}"#),
                streamID: try #require(JSONPointer("/session/ids/1"))
            ),
            content: try template("https://live.example/{stream_id}/master.m3u8"),
            pod: try template(
                "https://ads.example/pod/{break}.m3u8?s={stream_id}&t={start}&d={duration_ms}&v={viewer}"
            ),
            sessionEndStatuses: [410]
        )
    }

    @Test func templatesMakeTheSessionTheContentAndThePod() throws {
        let target = try templates()
        let adapter = TargetAdapter.urlTemplates(target)
        #expect(adapter.hasSession && adapter.contentNeedsSession)
        let request = try #require(adapter.sessionRequest(of: viewer))
        #expect((request.method, request.url) == (.post, "https://ads.example/s?v=7"))
        #expect(request.body == #"{"id":"0A1B2C3D-0000-4000-8000-00000000000F","x":{"viewer":7}}"#)
        #expect(request.contentType == "application/json")
        let answer = try session(adapter, #"{"session": {"ids": ["x", "a/b c"]}}"#, from: request.url)
        #expect(answer.streamID == StreamID("a/b c"))
        #expect(
            adapter.contentURL(of: viewer, streamID: answer.streamID) == "https://live.example/a%2Fb%20c/master.m3u8"
        )
        let pod = target.podURL(
            of: viewer,
            streamID: StreamID("a/b"),
            breakID: "break-1",
            startSeconds: 1_700_000_000,
            durationMilliseconds: 30_000
        )
        #expect(pod == "https://ads.example/pod/break-1.m3u8?s=a%2Fb&t=1700000000&d=30000&v=7")
        #expect(adapter.sessionEndStatuses == [410])
    }

    @Test func theAnswerMayHoldTheContentURL() throws {
        var target = try templates()
        target.session?.content = JSONPointer("/url")
        let adapter = TargetAdapter.urlTemplates(target)
        let answer = try session(
            adapter,
            #"{"session": {"ids": [1, 22]}, "url": "../m.m3u8"}"#,
            from: "https://a.example/b/c"
        )
        #expect((answer.streamID, answer.contentURL) == (StreamID("22"), "https://a.example/m.m3u8"))
        #expect(adapter.contentURL(of: viewer, streamID: answer.streamID) == nil)
    }

    @Test func withoutASessionTheContentIsThereAtOnce() throws {
        let content = try template("https://live.example/m.m3u8?u={primary_id}")
        let adapter = TargetAdapter.urlTemplates(URLTemplateTarget(session: nil, content: content, pod: nil))
        #expect(!adapter.hasSession && !adapter.contentNeedsSession)
        #expect(
            adapter.contentURL(of: viewer, streamID: nil)
                == "https://live.example/m.m3u8?u=0A1B2C3D-0000-4000-8000-00000000000F"
        )
    }

    @Test(arguments: ["{", "a}", "{nobody}", "{viewer", "{}", "{viewer}}"])
    func aMalformedTemplateIsNone(_ text: String) { #expect(URLTemplate(text) == nil) }

    @Test func everyPlaceholderIsFilledAndEncoded() throws {
        for placeholder in URLTemplate.Placeholder.own {
            let template = try template("a{\(placeholder.name)}b")
            #expect(template.url([placeholder: "x/y"]) == "ax%2Fyb")
            #expect(template.json([placeholder: "x\"\n"]) == #"ax\"\u000ab"#)
            #expect(template.url([:]) == "ab")
            #expect(template.placeholders == [placeholder])
        }
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
        #expect(try #require(JSONPointer(pointer)).text(in: document) == found)
    }

    @Test func aSessionOfMegabytesIsRefused() throws {
        let long = String(repeating: "a/../", count: 200_000)
        let adapter = mediaTailor(.explicit)
        #expect(throws: AdServingError.textTooLong) {
            try session(adapter, "{\"manifestUrl\":\"\(long)\"}", from: "https://h/")
        }
    }

    @Test(arguments: ["a", "a/b", "/~", "/~2"]) func aMalformedPointerIsNone(_ text: String) {
        #expect(JSONPointer(text) == nil)
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
