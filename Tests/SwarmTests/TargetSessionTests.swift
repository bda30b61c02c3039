import AdServing
import EventLoop
import HLS
import LoadProfile
import Players
import Rulebook
import Testing
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Sessions of targets other than Google's: who asks for one, and what is played when it is there.
@Suite struct TargetSessionTests {
    private static let mediaTailor = MediaTailorPlan(
        server: "http://127.0.0.1:8080",
        asset: "acct/live/index.m3u8",
        session: .explicit,
        adsParameters: ["uid": "{viewer}"]
    )

    private func plan(_ target: TargetPlan) -> LoadPlan {
        .forTests {
            $0.target = target
            $0.breaks.source = .none
            $0.breaks.playsInterstitials = true
        }
    }

    private func answer(_ id: String?, content: String? = nil) -> StreamSession {
        var session = StreamSession()
        session.streamID = id.map { StreamID($0) }
        session.contentURL = content
        return session
    }

    @Test func anExplicitSessionComesBeforeTheChannel() throws {
        var viewer = ScriptedViewer(plan(.mediaTailor(Self.mediaTailor)), number: 7)
        viewer.send(.join)
        #expect(viewer.take(.registration) == "http://127.0.0.1:8080/v1/session/acct/live/index.m3u8")
        #expect(viewer.count(.multivariant) == 0)
        let own = "http://127.0.0.1:8080/v1/master/acct/live/index.m3u8?aws.sessionId=s1"
        viewer.send(.registered(answer("s1", content: own)))
        #expect(viewer.counted(.registered) == 1)
        #expect(viewer.take(.multivariant) == own)
        #expect(viewer.open.isEmpty)
    }

    @Test func anImplicitSessionIsMadeByThePlaylistAlone() throws {
        var target = Self.mediaTailor
        target.session = .implicit
        var viewer = ScriptedViewer(plan(.mediaTailor(target)), number: 7)
        viewer.send(.join)
        #expect(viewer.count(.registration) == 0)
        #expect(
            viewer.take(.multivariant)
                == "http://127.0.0.1:8080/v1/master/acct/live/index.m3u8?aws.insertionMode=GUIDED&ads.uid=7"
        )
        #expect(viewer.machine.facts.streamID != nil)
    }

    @Test func aSessionThatIsRefusedBringsNoChannel() {
        var viewer = ScriptedViewer(plan(.mediaTailor(Self.mediaTailor)))
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registrationFailed(status: 403))
        viewer.advance(seconds: 60)
        #expect(viewer.open.isEmpty)
        #expect(viewer.counted(.registrationFailed) == 1)
    }

    @Test func anAnswerWithoutASessionIsFound() {
        var viewer = ScriptedViewer(plan(.mediaTailor(Self.mediaTailor)))
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(answer(nil)))
        #expect(viewer.counted(.registrationFailed) == 1)
        #expect(viewer.open.isEmpty)
    }

    private func watching(_ viewer: inout ScriptedViewer, session: String) throws {
        let own = "http://127.0.0.1:8080/v1/master/acct/\(session)/index.m3u8"
        viewer.send(.registered(answer(session, content: own)))
        #expect(viewer.take(.multivariant) == own)
        viewer.send(.multivariant(try .forTests(), url: own))
        #expect(viewer.open.map(\.url) == ["http://127.0.0.1:8080/v1/master/acct/\(session)/v0/media.m3u8"])
    }

    @Test func aSessionThatIsOverIsFollowedByAnother() throws {
        var viewer = ScriptedViewer(plan(.mediaTailor(Self.mediaTailor)))
        viewer.send(.join)
        viewer.take(.registration)
        try watching(&viewer, session: "s1")
        try viewer.answerPlaylist()
        viewer.advance(seconds: 2)
        let late = try #require(viewer.open.first)
        viewer.take(.playlist)
        viewer.send(.playlistFailed(plannedAt: late.plannedAt, reason: .badRequest))
        viewer.send(.sessionEnded)
        // Another loop of the same viewer hears the same.
        viewer.send(.sessionEnded)
        #expect(viewer.open.map(\.role) == [.registration])
        viewer.advance(seconds: 3)
        #expect(viewer.open.map(\.role) == [.registration], "nothing of the old session is asked any more")
        viewer.take(.registration)
        try watching(&viewer, session: "s2")
        #expect(viewer.counted(.registered) == 1)
        #expect(viewer.counted(.registrationRenewed) == 1)
        let poll = try #require(viewer.open.first)
        viewer.take(.playlist)
        let index = viewer.machine.requestIndex(of: .video)
        #expect(index != 0, "an answer of the old channel is told apart")
        viewer.send(.playlist(try .forTests(version: 2), plannedAt: poll.plannedAt, index: index))
        viewer.advance(seconds: 2)
        #expect(viewer.count(.playlist) == 1)
    }

    @Test func anImplicitSessionThatIsOverIsMadeAgainByItsPlaylist() throws {
        var target = Self.mediaTailor
        target.session = .implicit
        var viewer = ScriptedViewer(plan(.mediaTailor(target)))
        viewer.send(.join)
        let asked = viewer.take(.multivariant)
        let master = try #require(asked)
        viewer.send(.multivariant(try .forTests(), url: master))
        try viewer.answerPlaylist()
        viewer.send(.sessionEnded)
        #expect(viewer.take(.multivariant) == master)
        #expect(viewer.counted(.registrationRenewed) == 1)
    }

    @Test(arguments: [(400, 1), (404, 0), (503, 0)]) func aBadRequestIsTheEndOfASession(_ status: Int, ends: Int)
        async throws
    {
        let asked = plan(.mediaTailor(Self.mediaTailor))
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(asked, viewers: 1, loop: loop)
            scripted.join()
            let before = scripted.transport.requests(.registration).count
            #expect(scripted.fire(.reload))
            let poll = try #require(scripted.transport.open.last)
            scripted.crowd.transferFinished(
                token: poll.token,
                TransferResult(failure: nil, status: status, plannedAt: poll.plannedAt, doneAt: poll.plannedAt)
            )
            #expect(scripted.transport.requests(.registration).count == before + ends)
        }
    }

    @Test func theGuidedProxyIsAskedAtOnce() {
        var viewer = ScriptedViewer(plan(.eyevinnProxy(EyevinnProxyPlan(master: "http://127.0.0.1:3333/m.m3u8"))))
        viewer.send(.join)
        #expect(viewer.open.map(\.role) == [.multivariant])
        #expect(viewer.take(.multivariant) == "http://127.0.0.1:3333/m.m3u8")
    }

    private static let templates = URLTemplatesPlan(
        session: URLTemplatesPlan.Session(
            url: "http://127.0.0.1:8080/s?v={viewer}",
            body: #"{"id": {"viewer": {viewer}}}"#,
            streamID: "/id"
        ),
        content: "http://127.0.0.1:8080/{stream_id}/m.m3u8",
        pod: "http://127.0.0.1:8080/p/{break}?s={stream_id}&t={start}&d={duration_ms}&u={viewer}&c={scte35}"
    )

    @Test func templatesNameTheSessionTheChannelAndThePod() throws {
        var profile = plan(.urlTemplates(Self.templates))
        profile.breaks.source = .every(interval: .seconds(20), offset: .zero)
        profile.breaks.podDuration = .seconds(10)
        var viewer = ScriptedViewer(profile, number: 3)
        viewer.send(.join)
        #expect(viewer.take(.registration) == "http://127.0.0.1:8080/s?v=3")
        #expect(viewer.count(.multivariant) == 0)
        viewer.send(.registered(answer("a/b")))
        #expect(viewer.take(.multivariant) == "http://127.0.0.1:8080/a%2Fb/m.m3u8")
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/a%2Fb/m.m3u8"))
        try viewer.watch(seconds: 30)
        let start = try #require(viewer.scheduled.first?.0.start)
        let name = try #require(viewer.scheduled.first?.1)
        guard case .adBreakID(let identifier) = name else {
            Issue.record("\(name)")
            return
        }
        let seconds = start.microseconds / 1_000_000
        #expect(
            viewer.open.first { $0.role == .podManifest }?.url
                == "http://127.0.0.1:8080/p/\(identifier)?s=a%2Fb&t=\(seconds)&d=10000&u=3&c="
        )
    }

    /// What the profile names is where connections go; a placeholder stands after the host.
    @Test func everyServerOfATargetNeedsItsConnections() {
        func servers(_ target: TargetPlan) -> [String] { ConnectionNeed(plan(target)).servers.map(\.name) }
        #expect(servers(.mediaTailor(Self.mediaTailor)) == ["http://127.0.0.1:8080"])
        #expect(servers(.eyevinnProxy(EyevinnProxyPlan(master: "http://127.0.0.1/m"))) == ["http://127.0.0.1"])
        #expect(servers(.urlTemplates(Self.templates)) == ["http://127.0.0.1:8080"])
        var apart = Self.templates
        apart.pod = "https://ads.example/{break}"
        #expect(servers(.urlTemplates(apart)) == ["http://127.0.0.1:8080", "https://ads.example"])
    }

    @Test func sessionsOfTargetsStayInTheProcess() {
        let own = StreamID("s-1")
        let master = "https://a.example/v1/master/x/index.m3u8?aws.insertionMode=GUIDED&ads.uid=secret"
        #expect(
            Redaction.url(master, own: nil)
                == "https://a.example/v1/master/x/index.m3u8?aws.insertionMode=GUIDED&ads.uid=…"
        )
        let session = "https://a.example/v1/i-media/x/0f1e2d3c-4b5a-4678-9abc-def012345678/0.m3u8?aws.sessionId=s-1"
        let shown = Redaction.url(session, own: own)
        #expect(shown == "https://a.example/v1/i-media/x/…/0.m3u8?aws.sessionId=\(own.redacted)")
        let list = "https://a.example/list.json?_HLS_interstitial_id=ad1&_HLS_start_offset=2.5&_HLS_primary_id=p"
        #expect(
            Redaction.url(list, own: own)
                == "https://a.example/list.json?_HLS_interstitial_id=ad1&_HLS_start_offset=2.5&_HLS_primary_id=…"
        )
    }

    /// The profile's reader and the adapter know the same places.
    @Test func everyPlaceholderOfAProfileIsKnown() throws {
        #expect(
            Set(URLTemplatesPlan.podPlaceholders) == Set(URLTemplate.Placeholder.own.map(\.name))
        )
        let adapter = try #require(TargetAdapter(.urlTemplates(Self.templates)))
        #expect(adapter.hasSession)
    }

    @Test func aTemplateThatNobodyCanReadIsNoTarget() {
        var plan = Self.templates
        plan.content = "http://127.0.0.1/{nobody}"
        #expect(TargetAdapter(.urlTemplates(plan)) == nil)
    }
}

/// How long a persona waits for what.
@Suite struct RequestLimitsTests {
    /// What is kept is bounded by its kind; what is counted only is not.
    private func bodies(
        _ role: ViewerRole,
        connect: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration? = nil
    ) -> TransferLimits {
        let bytes: Int? =
            switch role {
            case .segment, .podSegment, .part, .verification, .beacon, .sessionUpdate: nil
            case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .assetManifest, .steering: 256 << 10
            case .registration, .assetList: 1 << 20
            case .multivariant, .metadata: 4 << 20
            case .playlist, .blockingPlaylist: 8 << 20
            }
        return TransferLimits(connect: connect, firstByte: firstByte, total: total, bodyBytes: bytes)
    }

    @Test func eachRoleHasTheRuleOfItsKind() {
        let limits = RequestLimits([PersonaShare(.ofProfile(LoadPlan.forTests().playback), share: 1)])
        for role in ViewerRole.allCases { #expect(limits[0, role] == bodies(role)) }
        let mixed = RequestLimits([
            PersonaShare(.ofProfile(LoadPlan.forTests().playback), share: 1),
            PersonaShare(KnownPersona.hlsjs.persona, share: 1),
        ])
        for role in ViewerRole.allCases {
            #expect(mixed[0, role] == bodies(role))
            func seconds(_ firstByte: Int, _ total: Int) -> TransferLimits {
                let patience = Duration.seconds(firstByte)
                return bodies(role, connect: patience, firstByte: patience, total: .seconds(total))
            }
            let expected: TransferLimits
            switch role {
            case .multivariant, .assetManifest: expected = seconds(20, 20)
            case .playlist, .blockingPlaylist, .podPlaylist, .podRepeatPlaylist, .steering: expected = seconds(10, 20)
            case .segment, .part, .podSegment: expected = seconds(10, 120)
            case .assetList, .podManifest, .podRepeat: expected = seconds(10, 30)
            case .registration, .metadata, .verification, .beacon, .sessionUpdate: expected = bodies(role)
            }
            #expect(mixed[1, role] == expected, "\(role)")
        }
    }

    @Test func aCrowdSendsThem() async throws {
        var plan = LoadPlan.forTests()
        plan.audience.personas = [PersonaShare(KnownPersona.hlsjs.persona, share: 1)]
        let asked = plan
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(asked, viewers: 1, loop: loop)
            scripted.join()
            let sent = scripted.transport.sent.map { request in
                "\(scripted.transport.role(request).map { "\($0)" } ?? "") \(request.limits.totalTimeout(otherwise: -1) > 0)"
            }
            #expect(sent.contains("registration false"))
            #expect(sent.contains("multivariant true"))
            #expect(sent.contains("playlist true"))
            scripted.crowd.stop {}
        }
    }
}
