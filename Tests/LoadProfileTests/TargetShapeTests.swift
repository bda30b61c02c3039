import AdServing
import Rules
import Testing

@testable import Profile

@Suite struct TargetShapeTests {
    private func plan(_ target: String, breaks: String = "{interstitials: true}") throws -> LoadPlan {
        try Samples.plan(Samples.profile(target: "{\(target)}", breaks: breaks))
    }

    @Test(
        arguments: [
            (
                """
                mediaTailor: {server: 'https://a.mediatailor.us-east-1.amazonaws.com/', asset: 1111/live/index.m3u8, \
                session: implicit, adsParameters: {uid: '{primary_id}', key: '${PODSWARM_KEY}'}, \
                manifestParameters: {test: 1}, reporting: client, authorisedHosts: ['*.amazonaws.com']}
                """,
                .mediaTailor(
                    MediaTailorPlan(
                        server: "https://a.mediatailor.us-east-1.amazonaws.com",
                        asset: "1111/live/index.m3u8",
                        session: .implicit,
                        adsParameters: ["uid": "{primary_id}", "key": "hunter2hunter2"],
                        manifestParameters: ["test": "1"],
                        reporting: .client,
                        authorisedHosts: ["*.amazonaws.com"]
                    )
                )
            ),
            (
                "eyevinnProxy: {master: 'http://127.0.0.1:3333/m.m3u8', parameters: {a: b}}",
                .eyevinnProxy(.init(master: "http://127.0.0.1:3333/m.m3u8", parameters: ["a": "b"]))
            ),
            (
                """
                urlTemplates: {session: {url: 'http://127.0.0.1/s?v={viewer}', streamID: /id}, \
                content: 'http://127.0.0.1/{stream_id}/m.m3u8', \
                pod: 'http://127.0.0.1/p/{break}?t={start}&d={duration_ms}', sessionEnds: [400, 410]}
                """,
                .urlTemplates(
                    URLTemplatesPlan(
                        target: URLTemplateTarget(
                            session: .init(url: "http://127.0.0.1/s?v={viewer}", streamID: "/id"),
                            content: "http://127.0.0.1/{stream_id}/m.m3u8",
                            pod: "http://127.0.0.1/p/{break}?t={start}&d={duration_ms}",
                            sessionEnds: [400, 410]
                        )
                    )
                )
            ),
        ] as [(String, TargetPlan)]
    ) func eachIsRead(text: String, target: TargetPlan) throws { #expect(try plan(text).target == target) }

    @Test func theGuidedProxyNeedsNoSession() {
        let plain = EyevinnProxyPlan(master: "http://127.0.0.1:3333/loop/master.m3u8")
        #expect(!plain.hasSession && plain.templates?.content == plain.master)
        let asked = EyevinnProxyPlan(
            master: "http://127.0.0.1/m.m3u8?a=1",
            parameters: ["uid": "{primary_id}", "k": "v {w"]
        )
        #expect(asked.templates?.content == "http://127.0.0.1/m.m3u8?a=1&k=v%20%7Bw&uid={primary_id}")
    }

    @Test(arguments: [
        ("127.0.0.1:3333", true), ("localhost", true), ("[::1]:8080", true), ("10.0.0.1", false), ("a.example", false),
    ]) func aTargetAtALoopbackAddressSharesTheMachine(host: String, isShared: Bool) throws {
        let target = "eyevinnProxy: {master: 'http://\(host)/m.m3u8', authorisedHosts: [10.0.0.1, a.example]}"
        #expect(try plan(target).target.isOnThisMachine == isShared)
    }

    @Test(
        arguments: [
            ("embedded: {shape: media-tailor-stitched}", [.aws]), ("embedded: {}", [.google]),
            ("embedded: {shape: url-templates}", []),
            ("embedded: {shape: url-templates, mediaIDs: prefixes}", [.google]),
            ("eyevinnProxy: {master: 'http://127.0.0.1/m.m3u8'}", []),
            ("urlTemplates: {content: 'http://127.0.0.1/m'}", []),
            ("urlTemplates: {content: 'http://127.0.0.1/m', authorisedHosts: ['DAI.google.com:443']}", [.google]),
            ("urlTemplates: {content: 'http://127.0.0.1/m', authorisedHosts: [notgoogle.com, s3.amazonaws.com]}", []),
        ] as [(String, [Vendor])]
    ) func aTargetHasTheVendorsOfItsShapeOrHosts(target: String, vendors: [Vendor]) throws {
        #expect(try plan(target).target.vendors == vendors)
    }

    @Test func reportersAreRead() throws {
        let base = try plan("embedded: {shape: media-tailor-explicit}")
        let reporting = try plan("embedded: {shape: media-tailor-explicit, reporting: client}")
        #expect(base.target.reporting == nil)
        #expect(reporting.target.reporting == .client)
        #expect(try plan("eyevinnProxy: {master: 'http://127.0.0.1:3333/m.m3u8'}").target.reporting == nil)
    }

    @Test(arguments: EmbeddedShape.allCases) func theEmbeddedOriginIsAskedInEachShape(_ shape: EmbeddedShape) throws {
        let plan = try plan("embedded: {shape: \(shape.rawValue)}")
        let origin = try plan.embedded
        #expect(origin.shape == shape)
        #expect((plan.digest == (try self.plan("embedded: {}").digest)) == (shape == .podServing))
    }
}
