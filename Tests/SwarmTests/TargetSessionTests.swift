import AdServing
import LoadProfile
import Players
import Rulebook
import Testing
import Time
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

    /// A viewer of MediaTailor that has joined.
    private func joined(_ session: MediaTailorPlan.Session = .explicit, number: Int = 0) -> ScriptedCrowd {
        var target = Self.mediaTailor
        target.session = session
        let viewer = ScriptedCrowd(plan(.mediaTailor(target)), number: number)
        viewer.join()
        return viewer
    }

    /// Address of the channel of a session, which the answer to its registration names.
    private static func master(_ session: String) -> String {
        "http://127.0.0.1:8080/v1/master/acct/\(session)/index.m3u8?aws.sessionId=\(session)"
    }

    /// Answers the registration with a session, and its channel.
    private func register(_ viewer: ScriptedCrowd, _ session: String) {
        viewer.answer(.registration, #"{"manifestUrl":"\#(Self.master(session))"}"#)
        #expect(viewer.answer(.multivariant) == Self.master(session))
        #expect(viewer.open.map(\.url) == ["http://127.0.0.1:8080/v1/master/acct/\(session)/v0/media.m3u8"])
    }

    @Test func anExplicitSessionComesBeforeTheChannel() {
        let viewer = joined(number: 7)
        #expect(viewer.open.map(\.url) == ["http://127.0.0.1:8080/v1/session/acct/live/index.m3u8"])
        register(viewer, "s1")
        #expect(viewer.counted(.registered) == 1)
    }

    @Test func anImplicitSessionIsMadeByThePlaylistAloneAndMadeAgainByIt() {
        let viewer = joined(.implicit, number: 7)
        let master = "http://127.0.0.1:8080/v1/master/acct/live/index.m3u8?aws.insertionMode=GUIDED&ads.uid=7"
        #expect(viewer.open.map(\.url) == [master])
        #expect(viewer.machine.facts.streamID != nil)
        viewer.answer(.multivariant)
        viewer.answer(.playlist)
        viewer.advance(seconds: 2)
        viewer.answer(.playlist, status: 400)
        #expect(viewer.open.map(\.url) == [master])
        #expect(viewer.counted(.registrationRenewed) == 1)
    }

    @Test(arguments: [(403, ""), (200, "{}")])
    func withoutASessionThereIsNoChannel(status: Int, body: String) {
        let viewer = joined()
        viewer.answer(.registration, body, status: status)
        viewer.advance(seconds: 60)
        #expect(viewer.open.isEmpty)
        #expect(viewer.counted(.registrationFailed) == 1)
    }

    @Test func aSessionThatIsOverIsFollowedByAnother() throws {
        let viewer = joined()
        register(viewer, "s1")
        viewer.answer(.playlist)
        viewer.advance(seconds: 2)
        viewer.answer(.playlist, status: 400)
        #expect(viewer.open.map(\.role) == [.registration])
        viewer.advance(seconds: 3)
        #expect(viewer.open.map(\.role) == [.registration], "nothing of the old session is asked any more")
        register(viewer, "s2")
        #expect(viewer.counted(.registered) == 1)
        #expect(viewer.counted(.registrationRenewed) == 1)
        #expect(try #require(viewer.poll()).index != 0, "an answer of the old channel is told apart")
        viewer.version = 2
        viewer.answer(.playlist)
        viewer.advance(seconds: 2)
        #expect(viewer.count(.playlist) == 1)
    }

    @Test(arguments: [(400, 1), (404, 0), (503, 0)])
    func aBadRequestIsTheEndOfASession(status: Int, ends: Int) {
        let viewer = joined()
        register(viewer, "s1")
        viewer.answer(.playlist)
        viewer.fire(.reload)
        viewer.answer(.playlist, status: status)
        #expect(viewer.count(.registration) == ends)
    }

    @Test func theGuidedProxyIsAskedAtOnce() {
        let master = "http://127.0.0.1:3333/m.m3u8"
        let viewer = ScriptedCrowd(plan(.eyevinnProxy(EyevinnProxyPlan(master: master))))
        viewer.join()
        #expect(viewer.open.map(\.url) == [master] && viewer.open.map(\.role) == [.multivariant])
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
        let viewer = ScriptedCrowd(profile, number: 3)
        viewer.join()
        #expect(viewer.open.map(\.url) == ["http://127.0.0.1:8080/s?v=3"])
        viewer.answer(.registration, #"{"id":"a/b"}"#)
        #expect(viewer.answer(.multivariant) == "http://127.0.0.1:8080/a%2Fb/m.m3u8")
        viewer.watch(seconds: 30)
        let planned = try #require(viewer.scheduled.first)
        guard case .adBreakID(let identifier) = planned.identifier else {
            Issue.record("\(planned.identifier)")
            return
        }
        let seconds = planned.scheduled.start.microseconds / 1_000_000
        #expect(
            viewer.first(.podManifest)?.url
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

    @Test(arguments: [
        (
            "v1/master/x/index.m3u8?aws.insertionMode=GUIDED&ads.uid=secret",
            "v1/master/x/index.m3u8?aws.insertionMode=GUIDED&ads.uid=…"
        ),
        (
            "v1/i-media/x/0f1e2d3c-4b5a-4678-9abc-def012345678/0.m3u8?aws.sessionId=s-1",
            "v1/i-media/x/…/0.m3u8?aws.sessionId=\(StreamID("s-1").redacted)"
        ),
        (
            "list.json?_HLS_interstitial_id=ad1&_HLS_start_offset=2.5&_HLS_primary_id=p",
            "list.json?_HLS_interstitial_id=ad1&_HLS_start_offset=2.5&_HLS_primary_id=…"
        ),
    ])
    func sessionsOfTargetsStayInTheProcess(address: String, shown: String) {
        #expect(Redaction.url("https://a.example/" + address, own: StreamID("s-1")) == "https://a.example/" + shown)
    }

    /// The profile's reader and the adapter know the same places.
    @Test func everyPlaceholderOfAProfileIsKnownAndNoOther() {
        #expect(Set(URLTemplatesPlan.podPlaceholders) == Set(URLTemplate.Placeholder.own.map(\.name)))
        #expect(TargetAdapter(.urlTemplates(Self.templates))?.hasSession == true)
        var plan = Self.templates
        plan.content = "http://127.0.0.1/{nobody}"
        #expect(TargetAdapter(.urlTemplates(plan)) == nil)
    }
}

/// How long a persona waits for what.
@Suite struct RequestLimitsTests {
    /// Seconds to the first byte and to the last of hls.js, and the bound of what is kept; what is counted only has none.
    private static let rows: [(roles: [ViewerRole], firstByte: Int?, total: Int?, bytes: Int?)] = [
        ([.multivariant], 20, 20, 4 << 20), ([.assetManifest], 20, 20, 256 << 10),
        ([.playlist, .blockingPlaylist], 10, 20, 8 << 20),
        ([.podPlaylist, .podRepeatPlaylist, .steering], 10, 20, 256 << 10),
        ([.segment, .part, .podSegment], 10, 120, nil), ([.assetList], 10, 30, 1 << 20),
        ([.podManifest, .podRepeat], 10, 30, 256 << 10), ([.registration], nil, nil, 1 << 20),
        ([.metadata], nil, nil, 4 << 20), ([.verification, .beacon, .sessionUpdate], nil, nil, nil),
    ]

    @Test func eachRoleHasTheRuleOfItsKind() {
        let own = PersonaShare(.ofProfile(LoadPlan.forTests().playback), share: 1)
        let mixed = RequestLimits([own, PersonaShare(KnownPersona.hlsjs.persona, share: 1)])
        for row in Self.rows {
            let (firstByte, total) = (
                row.firstByte.map { Duration.seconds($0) }, row.total.map { Duration.seconds($0) }
            )
            for role in row.roles {
                let plain = TransferLimits(connect: nil, firstByte: nil, total: nil, bodyBytes: row.bytes)
                #expect(RequestLimits([own])[0, role] == plain && mixed[0, role] == plain, "\(role)")
                let limits = TransferLimits(
                    connect: firstByte,
                    firstByte: firstByte,
                    total: total,
                    bodyBytes: row.bytes
                )
                #expect(mixed[1, role] == limits, "\(role)")
            }
        }
        #expect(Set(Self.rows.flatMap(\.roles)) == Set(ViewerRole.allCases))
    }

    @Test func aCrowdSendsThem() {
        var plan = LoadPlan.forTests()
        plan.audience.personas = [PersonaShare(KnownPersona.hlsjs.persona, share: 1)]
        let crowd = ScriptedCrowd.allWatching(plan)
        let limited = crowd.transport.sent.filter { $0.transfer.limits.totalTimeout(otherwise: -1) > 0 }.map(\.role)
        #expect(limited.contains(.multivariant) && limited.contains(.playlist) && !limited.contains(.registration))
        #expect(crowd.asked(.registration).count == 1)
    }
}
