import LoadProfile
import Testing

/// Targets other than Google's.
@Suite struct TargetShapeTests {
    private static func yaml(_ target: String, breaks: String = "{interstitials: true}") -> String {
        """
        duration: 60s
        target:
          \(target)
        audience: {viewers: 10}
        breaks: \(breaks)

        """
    }

    private func plan(_ target: String, breaks: String = "{interstitials: true}") throws -> LoadPlan {
        try Samples.reader.read(yaml: Self.yaml(target, breaks: breaks), path: "Profiles/evening.yaml")
    }

    private static let templates = """
        urlTemplates: {session: {url: 'http://127.0.0.1/s?v={viewer}', streamID: /id}, \
        content: 'http://127.0.0.1/{stream_id}/m.m3u8', pod: 'http://127.0.0.1/p/{break}?t={start}&d={duration_ms}', \
        sessionEnds: [400, 410]}
        """

    @Test func mediaTailorIsRead() throws {
        let target = try plan(
            """
            mediaTailor: {server: 'https://a.mediatailor.us-east-1.amazonaws.com/', asset: 1111/live/index.m3u8, \
            session: implicit, adsParameters: {uid: '{primary_id}', key: '${PODSWARM_KEY}'}, \
            manifestParameters: {test: 1}, reporting: client, authorisedHosts: ['*.amazonaws.com']}
            """
        ).target
        let expected = MediaTailorPlan(
            server: "https://a.mediatailor.us-east-1.amazonaws.com",
            asset: "1111/live/index.m3u8",
            session: .implicit,
            adsParameters: ["uid": "{primary_id}", "key": "hunter2hunter2"],
            manifestParameters: ["test": "1"],
            reporting: .client,
            authorisedHosts: ["*.amazonaws.com"]
        )
        #expect(target == .mediaTailor(expected))
        #expect(target.authorisedHosts == ["*.amazonaws.com"])
    }

    @Test func theGuidedProxyIsRead() throws {
        let target = try plan("eyevinnProxy: {master: 'http://127.0.0.1:3333/m.m3u8', parameters: {a: b}}").target
        let expected = EyevinnProxyPlan(
            master: "http://127.0.0.1:3333/m.m3u8",
            parameters: ["a": "b"],
            authorisedHosts: []
        )
        #expect(target == .eyevinnProxy(expected))
    }

    @Test(arguments: [
        ("127.0.0.1:3333", true), ("localhost", true), ("[::1]:8080", true), ("10.0.0.1", false), ("a.example", false),
    ]) func aTargetAtALoopbackAddressSharesTheMachine(host: String, isShared: Bool) throws {
        let target = "eyevinnProxy: {master: 'http://\(host)/m.m3u8', authorisedHosts: [10.0.0.1, a.example]}"
        #expect(try plan(target).target.isOnThisMachine == isShared)
    }

    @Test func templatesAreRead() throws {
        let target = try plan(Self.templates, breaks: "{source: {every: 20s}}").target
        let expected = URLTemplatesPlan(
            session: URLTemplatesPlan.Session(
                url: "http://127.0.0.1/s?v={viewer}",
                method: .post,
                body: nil,
                contentType: "application/json",
                streamID: "/id",
                content: nil
            ),
            content: "http://127.0.0.1/{stream_id}/m.m3u8",
            pod: "http://127.0.0.1/p/{break}?t={start}&d={duration_ms}",
            sessionEnds: [400, 410],
            authorisedHosts: []
        )
        #expect(target == .urlTemplates(expected))
    }

    @Test func whoReportsIsPartOfTheWorkload() throws {
        let base = try plan("embedded: {shape: media-tailor-explicit}")
        let reporting = try plan("embedded: {shape: media-tailor-explicit, reporting: client}")
        #expect(base.target.reporting == nil)
        #expect(reporting.target.reporting == .client)
        #expect(base.digest != reporting.digest)
        #expect(base.workloadDigest != reporting.workloadDigest)
        #expect(try plan("eyevinnProxy: {master: 'http://127.0.0.1:3333/m.m3u8'}").target.reporting == nil)
    }

    @Test(arguments: EmbeddedShape.allCases) func theEmbeddedOriginIsAskedInEachShape(_ shape: EmbeddedShape) throws {
        let plan = try plan("embedded: {shape: \(shape.rawValue)}")
        guard case .embedded(let origin) = plan.target else {
            Issue.record("not embedded")
            return
        }
        #expect(origin.shape == shape)
        #expect((plan.digest == (try self.plan("embedded: {}").digest)) == (shape == .podServing))
    }

    @Test(
        arguments: [
            ("mediaTailor: {asset: a/b}", "target.mediaTailor.server: is missing"),
            ("mediaTailor: {server: 'http://127.0.0.1'}", "target.mediaTailor.asset: is missing"),
            ("mediaTailor: {server: 'http://127.0.0.1', asset: /a}", "begins with a slash"),
            ("mediaTailor: {server: 'http://127.0.0.1', asset: 'a?b=c'}", "has a query"),
            (
                "mediaTailor: {server: 'http://127.0.0.1', asset: a, adsParameters: {a: '{stream_id}'}}",
                "has no value here"
            ),
            ("mediaTailor: {server: 'https://a.example', asset: a}", "the host a.example may not be asked"),
            ("mediaTailor: {server: 'http://127.0.0.1', asset: a, reporting: both}", "allowed: server, client"),
            ("embedded: {reporting: client}", "target.embedded.reporting: has no effect in this shape"),
            ("eyevinnProxy: {master: 'https://a.example/m'}", "the host a.example may not be asked"),
            ("urlTemplates: {content: 'http://127.0.0.1/{stream_id}'}", "{stream_id} has no value without"),
            ("urlTemplates: {content: 'http://127.0.0.1/{break}'}", "{break} that has no value here"),
            ("urlTemplates: {content: 'http://{viewer}.example/'}", "has a placeholder in its host"),
            ("urlTemplates: {content: 'http://127.0.0.1/{viewer'}", "has a brace that is not closed"),
            ("urlTemplates: {content: 'ftp://127.0.0.1/'}", "is not an http or https URL"),
            ("urlTemplates: {pod: 'http://127.0.0.1/{break}'}", "is missing, and no session's answer holds it"),
            ("urlTemplates: {content: 'http://127.0.0.1/a', sessionEnds: [400]}", "has no effect without"),
            ("urlTemplates: {content: 'http://127.0.0.1/a', session: {streamID: /a}}", "session.url: is missing"),
            (
                "urlTemplates: {content: 'http://127.0.0.1/a', session: {url: 'http://127.0.0.1/', streamID: id}}",
                "does not begin with a slash"
            ),
            (
                "urlTemplates: {content: 'http://127.0.0.1/a', session: {url: 'http://127.0.0.1/', streamID: /~2}}",
                "has a ~ without 0 or 1"
            ),
            (
                """
                urlTemplates: {content: 'http://127.0.0.1/a', \
                session: {url: 'http://127.0.0.1/', streamID: /a, content: /b}}
                """, "already holds the channel's URL"
            ),
            (
                """
                urlTemplates: {content: 'http://127.0.0.1/a', \
                session: {url: 'http://127.0.0.1/', streamID: /a, method: get, body: x}}
                """, "a GET carries no body"
            ),
        ]
    )
    func refuses(_ target: String, reason: String) {
        let found = Samples.problems(Self.yaml(target))
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(reason) == true, "\(found)")
    }

    @Test(
        arguments: [
            "mediaTailor: {server: 'http://127.0.0.1', asset: a}", "eyevinnProxy: {master: 'http://127.0.0.1/m'}",
            "urlTemplates: {content: 'http://127.0.0.1/a'}", "embedded: {shape: media-tailor-explicit}",
            "embedded: {shape: eyevinn-proxy}",
        ]
    )
    func breaksOfTheClientsOwnNeedPods(_ target: String) {
        let found = Samples.problems(Self.yaml(target, breaks: "{source: {every: 20s}, podDuration: 5s}"))
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains("this target has no pods to ask for") == true, "\(found)")
        #expect(Samples.problems(Self.yaml(target)).isEmpty)
    }

    @Test(
        arguments: [
            ("session: explicit", "session: implicit", true), ("asset: a", "asset: b", false),
            ("session: explicit", "reporting: client", true),
            ("127.0.0.1", "127.0.0.2", false), ("{a: b}", "{a: c}", true), ("http:", "https:", true),
        ]
    )
    func theWorkloadLeavesOutWhoIsAsked(_ text: String, other: String, differs: Bool) throws {
        let target = "mediaTailor: {server: 'http://127.0.0.1', asset: a, session: explicit, adsParameters: {a: b}}"
        let base = try plan(target)
        let changed = try plan(target.replacing(text, with: other))
        #expect(base.digest != changed.digest)
        #expect((base.workloadDigest != changed.workloadDigest) == differs)
    }

    @Test(
        arguments: [
            ("?v={viewer}", "?w={viewer}", false), ("/id", "/sid", true), ("[400, 410]", "[400]", true),
            ("m.m3u8", "n.m3u8", false), ("/p/", "/q/", false),
        ]
    )
    func theWorkloadOfTemplatesLeavesOutTheirURLs(_ text: String, other: String, differs: Bool) throws {
        let base = try plan(Self.templates)
        let changed = try plan(Self.templates.replacing(text, with: other))
        #expect(base.digest != changed.digest)
        #expect((base.workloadDigest != changed.workloadDigest) == differs)
    }
}
