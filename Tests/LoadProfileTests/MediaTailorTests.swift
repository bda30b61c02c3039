import AdServing
import Testing

@testable import Profile

/// The requests of MediaTailor in literal bytes: what a viewer asks, and what it makes of answers.
@Suite struct MediaTailorTests {
    private let viewer = ViewerIdentity(number: 7, primaryID: "0A1B2C3D-0000-4000-8000-00000000000F")

    private func session(_ target: URLTemplateTarget, _ json: String, from url: String) throws -> StreamSession {
        try Array(json.utf8).withUnsafeBytes { bytes throws(AdServingError) in
            try target.session(json: bytes, from: url)
        }
    }

    private func mediaTailor(_ session: MediaTailorPlan.Session, reporting: MediaTailorPlan.Reporting? = nil)
        -> URLTemplateTarget
    {
        MediaTailorPlan(
            server: "https://a.mediatailor.us-east-1.amazonaws.com",
            asset: "111122223333/live/index.m3u8",
            session: session,
            adsParameters: ["player": "p {viewer}", "consent": "a&b"],
            manifestParameters: ["test": "123"],
            reporting: reporting
        ).templates ?? URLTemplateTarget()
    }

    @Test func anImplicitMediaTailorSessionIsMadeByItsFirstPlaylist() {
        let target = mediaTailor(.implicit)
        #expect(!target.contentNeedsSession)
        #expect(target.sessionRequest(of: viewer) == nil)
        #expect(
            target.contentURL(of: viewer, streamID: nil) == """
                https://a.mediatailor.us-east-1.amazonaws.com/v1/master/111122223333/live/index.m3u8\
                ?aws.insertionMode=GUIDED&ads.consent=a%26b&ads.player=p%207&manifest.test=123
                """
        )
    }

    @Test func anExplicitMediaTailorSessionIsAPostWithJSON() {
        let target = mediaTailor(.explicit)
        #expect(target.contentNeedsSession)
        let expected = SessionRequest(
            .post,
            url: "https://a.mediatailor.us-east-1.amazonaws.com/v1/session/111122223333/live/index.m3u8",
            body: """
                {"adsParams":{"consent":"a&b","player":"p 7"},"insertionMode":"GUIDED",\
                "manifestParams":{"test":"123"}}
                """,
            contentType: "application/json"
        )
        #expect(target.sessionRequest(of: viewer) == expected)
        #expect(target.contentURL(of: viewer, streamID: nil) == nil)
    }

    @Test(
        arguments: [
            (nil, "GUIDED&ads.consent", #""123"}}"#),
            (.server, "GUIDED&ads.consent", #""123"},"reportingMode":"server"}"#),
            (.client, "GUIDED&aws.reportingMode=CLIENT&ads.consent", #""123"},"reportingMode":"client"}"#),
        ] as [(MediaTailorPlan.Reporting?, String, String)]
    )
    func whoReportsIsSaidAtTheBeginning(_ reporting: MediaTailorPlan.Reporting?, query: String, body: String) throws {
        let implicit = mediaTailor(.implicit, reporting: reporting)
        #expect(implicit.contentURL(of: viewer, streamID: nil)?.contains("insertionMode=\(query)=") == true)
        let explicit = mediaTailor(.explicit, reporting: reporting)
        #expect(try #require(explicit.sessionRequest(of: viewer)?.body).hasSuffix(body))
        #expect(implicit.isReportedByClient == (reporting == .client))
        #expect(explicit.isReportedByClient == (reporting == .client))
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
            #"{"manifestUrl": "https://b.example/v1/master/x/index.m3u8", "metadata_url": "not MediaTailor's"}"#,
            from: "https://a.example/v1/session/x"
        )
        #expect(answer.streamID == StreamID("https://b.example/v1/master/x/index.m3u8") && answer.metadataURL == nil)
    }
}
