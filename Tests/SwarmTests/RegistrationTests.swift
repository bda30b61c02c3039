import AdServing
import Results
import Rules
import Testing
import Transport
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// The headers and the refused answers of a registration; its course are cases of `registration`.
@Suite struct RegistrationTests {
    /// A header with the session's id is sent from the session on, and with the renewed one's after that.
    @Test func aSessionsIDStandsInHeaders() {
        let viewer = ScriptedCrowd(
            .forTests { $0.connection.headers = ["Authorization": "Bearer {stream_id}", "X-Same": "yes"] },
            adServers: [ScriptedCrowd.server]
        )
        viewer.join()
        viewer.answer(
            .registration,
            #"{"stream_id":"first","metadata_url":"http://127.0.0.1:8080/m","valid_for":"0h0m21s"}"#
        )
        viewer.answerAll()
        viewer.fire(.metadata)
        viewer.answer(.metadata)
        viewer.fire(.renewal)
        viewer.answer(.registration, #"{"stream_id":"second","metadata_url":"http://127.0.0.1:8080/m"}"#)
        viewer.fire(.metadata)
        func sent(_ role: ViewerRole) -> [String?] {
            viewer.transport.requests(role).map { request in
                request.headers?.fields.first { $0.name == "Authorization" }?.value
            }
        }
        #expect(sent(.registration).first == .some(nil))
        #expect(sent(.metadata) == ["Bearer first", "Bearer second"])
        #expect(viewer.transport.requests(.registration).first?.headers?.fields.map(\.value).contains("yes") == true)
    }

    @Test(
        arguments: [
            (#"{"polling_frequency":10}"#, "a successful answer without one"),
            (String(repeating: #"{"a":"#, count: 200), "a successful answer that cannot be read: too_deep"),
        ]
    )
    func anAnswerWithoutAStreamIDIsAFindingAndNoSession(body: String, observed: String) {
        let viewer = ScriptedCrowd()
        viewer.join()
        viewer.answer(.registration, body)
        let finding = ViewerNote.finding(.registrationWithoutStreamID, expected: "a stream_id", observed: observed)
        #expect(viewer.notes.contains(finding), "\(viewer.notes)")
        #expect(viewer.machine.streamID == nil && viewer.timers[.metadata] == nil)
    }
}

/// Viewers that tell the ad server something else in mid-session.
@Suite struct SessionUpdateTests {
    private static let url = "http://127.0.0.1:8080/event/x/stream/0-1:TUL/session"

    private static func plan(_ change: (inout SessionUpdatePlan) -> Void = { _ in }) -> LoadPlan {
        var session = SessionPlan.forTests
        session.adTagParameters = ["npa": "0", "who": "{viewer}"]
        let told = ["npa": "1", "new": "v{viewer}"]
        var updates = SessionUpdatePlan(share: 1, every: .seconds(10), adTagParameters: told)
        change(&updates)
        session.updates = updates
        return .forTests { plan in
            guard case .podServing(var target) = plan.target else { return }
            target.session = session
            plan.target = .podServing(target)
            plan.breaks.source = .none
        }
    }

    private static func registered(_ plan: LoadPlan = plan(), at url: String? = url) -> ScriptedCrowd {
        let viewer = ScriptedCrowd(plan, number: 4)
        viewer.join()
        viewer.answer(.registration, AnswerBody.registration(0, url.map { ["session_update_url": $0] } ?? [:]))
        return viewer
    }

    @Test func anUpdateComesAtADrawnMomentAfterEachSpan() {
        let viewer = Self.registered()
        viewer.watch(seconds: 400, step: 1) { $0.role == .sessionUpdate ? .init() : nil }
        #expect(viewer.transport.requests(.sessionUpdate).allSatisfy { $0.url == Self.url })
        let moments = [0] + viewer.asked(.sessionUpdate)
        #expect((30...52).contains(moments.count))
        let waits = zip(moments.dropFirst(), moments).map { $0 - $1 }
        #expect(waits.allSatisfy { (4.99...15.01).contains($0) } && Set(waits).count > 15, "\(waits)")
    }

    @Test func nobodyUpdatesWhoIsNotToAndTheShareIsKept() throws {
        let viewer = Self.registered(Self.plan { $0.share = 0 })
        viewer.advance(seconds: 60)
        #expect(viewer.timers[.sessionUpdate] == nil && viewer.count(.sessionUpdate) == 0)
        let updates = try #require(Self.plan { $0.share = 0.1 }.session.updates)
        let concerned = (0..<10_000).count { updates.concern(viewer: $0, seed: 7) }
        #expect(abs(concerned - 1_000) < 180)
    }

    @Test func aFailedUpdateEndsNoSession() {
        let viewer = Self.registered()
        let id = viewer.machine.streamID
        viewer.advance(seconds: 16)
        viewer.answer(.sessionUpdate, status: 500)
        viewer.advance(seconds: 16)
        #expect(viewer.count(.registration) == 0 && viewer.machine.streamID == id)
        #expect(viewer.count(.sessionUpdate) == 1, "the next one comes all the same")
        viewer.leave()
        #expect(viewer.timers.isEmpty, "and none after leaving")
    }

    @Test func withoutAnAddressNothingIsAskedAndThatIsCounted() {
        let viewer = Self.registered(at: nil)
        viewer.advance(seconds: 31)
        #expect(viewer.count(.sessionUpdate) == 0)
        #expect((2...6).contains(viewer.counted(.sessionUpdatesWithoutURL)))
        #expect(!viewer.machine.session.hasUpdated)
    }

    @Test func anUpdateWaitsForNoOther() {
        let viewer = Self.registered()
        viewer.advance(seconds: 46)
        #expect(viewer.count(.sessionUpdate) == 1 && viewer.counted(.sessionUpdatesOverlapped) >= 2)
        viewer.answer(.sessionUpdate)
        viewer.advance(seconds: 16)
        #expect(viewer.count(.sessionUpdate) == 1)
    }

    @Test func whatWasToldIsRegisteredWithFromThenOn() {
        let viewer = Self.registered()
        func registration() -> String? {
            let isUpdated = viewer.machine.session.hasUpdated
            let now = WallTime(microseconds: 0)
            return viewer.plan.sessionRequest(of: 4, server: 0, isUpdated: isUpdated, now: now)?.body
        }
        #expect(registration() == "npa=0&who=4")
        viewer.advance(seconds: 16)
        #expect(registration() == "new=v4&npa=1&who=4")
    }

    @Test(arguments: [
        (SessionUpdatePlan.Body.form, SessionUpdatePlan.Extent.all, "new=v4&npa=1&who=4"),
        (.form, .changed, "new=v4&npa=1"), (.json, .changed, #"{"new":"v4","npa":"1"}"#),
        (.json, .all, #"{"new":"v4","npa":"1","who":"4"}"#),
    ])
    func anUpdateIsAPOSTOfNewValues(body: SessionUpdatePlan.Body, extent: SessionUpdatePlan.Extent, text: String) {
        let plan = Self.plan {
            $0.body = body
            $0.extent = extent
        }
        let viewer = ScriptedCrowd(plan, number: 4)
        let request = viewer.plan.sessionUpdate(of: 4, url: Self.url, now: WallTime(microseconds: 0))
        #expect(request.method == .post && request.url == Self.url && request.body == text)
        #expect(request.contentType == (body == .json ? "application/json" : nil))
    }
}

/// Servers and placeholders of targets other than Google's; their sessions are cases of `registration`.
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

    private static let templates = URLTemplateTarget(
        session: URLTemplateTarget.Session(
            url: "http://127.0.0.1:8080/s?v={viewer}",
            body: #"{"id": {"viewer": {viewer}}}"#,
            streamID: "/id"
        ),
        content: "http://127.0.0.1:8080/{stream_id}/m.m3u8",
        pod: "http://127.0.0.1:8080/p/{break}?s={stream_id}&t={start}&d={duration_ms}&u={viewer}&c={scte35}"
    )

    /// What the profile names is where connections go; a placeholder stands after the host.
    @Test func everyServerOfATargetNeedsItsConnections() {
        func servers(_ target: TargetPlan) -> [String] { ConnectionNeed(plan(target)).servers.map(\.name) }
        #expect(servers(.mediaTailor(Self.mediaTailor)) == ["http://127.0.0.1:8080"])
        let proxy = EyevinnProxyPlan(master: "http://127.0.0.1/m")
        #expect(servers(.eyevinnProxy(proxy)) == ["http://127.0.0.1"])
        var templates = URLTemplatesPlan(target: Self.templates)
        #expect(servers(.urlTemplates(templates)) == ["http://127.0.0.1:8080"])
        templates.target.pod = "https://ads.example/{break}"
        #expect(servers(.urlTemplates(templates)) == ["http://127.0.0.1:8080", "https://ads.example"])
    }
}

/// How long a persona waits for what.
@Suite struct RequestLimitsTests {
    /// Seconds to the first byte and to the last of hls.js, and the bound of what is kept; what is counted only has none.
    private static let rows: [(roles: [ViewerRole], firstByte: Int?, total: Int?, bytes: Int?)] = [
        ([.multivariant], 20, 20, 4 << 20), ([.assetManifest], 20, 20, 256 << 10),
        ([.playlist, .blockingPlaylist], 10, 20, 8 << 20),
        ([.podPlaylist, .podRepeatPlaylist, .steering], 10, 20, 256 << 10),
        ([.segment, .part, .podSegment, .key], 10, 120, nil), ([.assetList], 10, 30, 1 << 20),
        ([.podManifest, .podRepeat], 10, 30, 256 << 10), ([.registration], nil, nil, 1 << 20),
        ([.metadata], nil, nil, 4 << 20), ([.verification, .beacon, .sessionUpdate, .preflight], nil, nil, nil),
    ]

    @Test func eachRoleHasTheRuleOfItsKind() {
        let own = PersonaShare(.ofProfile(LoadPlan.forTests().playback), share: 1)
        let mixed = RequestLimits([own, PersonaShare(Persona.known("hlsjs"), share: 1)])
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
        plan.audience.personas = [PersonaShare(Persona.known("hlsjs"), share: 1)]
        let crowd = ScriptedCrowd.allWatching(plan)
        let limited = crowd.transport.sent.filter { $0.transfer.limits.total.nanoseconds(otherwise: 0) > 0 }.map(\.role)
        #expect(limited.contains(.multivariant) && limited.contains(.playlist) && !limited.contains(.registration))
        #expect(crowd.asked(.registration).count == 1)
    }
}
