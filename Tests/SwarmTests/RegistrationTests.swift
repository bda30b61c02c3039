import AdServing
import Results
import Rules
import Testing
import Transport
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// The stream session: registration, fail-over, renewal.
@Suite struct RegistrationTests {
    private static let path = "/ssai/pods/api/v1/network/21775744923/custom_asset/sgai-hls-live/stream"

    /// A viewer that joined, and whose registration was answered with members of a JSON object.
    private func registered(_ members: String, after seconds: Double = 0) -> ScriptedCrowd {
        let viewer = ScriptedCrowd()
        viewer.join()
        viewer.answer(.registration, "{\(members)}", after: seconds)
        return viewer
    }

    /// A server that fails is followed by the second one at once; a mistake of the client is made once.
    @Test(arguments: [429, 500, 503, 599, nil, 400, 401, 403, 404, 422])
    func failsOverToTheSecondServerAtOnceAndThenGivesUp(status: Int?) {
        let viewer = ScriptedCrowd()
        viewer.join()
        let isMistake = status.map { $0 < 429 } == true
        var asked: [String] = []
        for _ in 0..<(isMistake ? 1 : 2) {
            asked.append(viewer.answer(.registration, status: status ?? 0, failure: status == nil ? .reset : nil))
            viewer.advance(seconds: 0)
        }
        #expect(asked == ["http://127.0.0.1:8080", "http://127.0.0.2:8080"].prefix(asked.count).map { $0 + Self.path })
        #expect(viewer.count(.multivariant) == 1)
        viewer.advance(seconds: 19)
        #expect(viewer.count(.registration) == 0 && viewer.machine.facts.streamID == nil)
        #expect(viewer.counts(.registrationFailedOver, .registrationFailed) == [isMistake ? 0 : 1, 1])
    }

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

    /// Players do not look at Retry-After unless the profile says so; a date that is over means at once.
    @Test(
        arguments: [
            (false, "30", 1.0), (true, "30", 30), (true, "Sat, 21 Nov 2026 20:00:40 GMT", 40),
            (true, "Sat, 21 Nov 2026 19:00:00 GMT", 1), (true, "soon", 1), (true, "99999999999999999999", nil),
        ] as [(Bool, String, Double?)]
    )
    func aServerSaysWhenToAskAgain(waits: Bool, retryAfter: String, seconds: Double?) {
        let viewer = ScriptedCrowd(
            .forTests { $0.connection.waitsForRetryAfter = waits },
            adServers: [ScriptedCrowd.server]
        )
        viewer.join()
        viewer.answer(.registration, status: 429, headers: ["retry-after": retryAfter])
        if let seconds {
            #expect(viewer.timers[.registrationRetry] == ScriptedCrowd.instant(seconds))
        } else {
            #expect(viewer.timers[.registrationRetry].map { $0 > ScriptedCrowd.instant(86_400) } == true)
        }
        #expect(viewer.counts(.retryAfterWaits) == [seconds == 1 ? 0 : 1])
        #expect(viewer.totals.count(of: .retryAfterAnswers) == 1)
    }

    @Test func withoutASecondServerItTriesThreeTimesOneAndTwoSecondsApart() {
        let viewer = ScriptedCrowd(adServers: [ScriptedCrowd.server])
        viewer.join()
        for _ in 0..<3 {
            viewer.answer(.registration, status: 503)
            viewer.advance(seconds: 5)
        }
        #expect(viewer.asked(.registration) == [0, 1, 7])
        #expect(viewer.counts(.registrationRetried, .registrationFailed) == [2, 1])
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
        #expect(viewer.machine.facts.streamID == nil && viewer.timers[.metadata] == nil)
    }

    /// At nine tenths of its validity; an instant goes before a length.
    @Test(
        arguments: [
            (#","valid_for":"0h1m40s""#, 90), ("", nil),
            (#","valid_for":"8h0m0s","valid_until":"2026-11-21T20:03:20Z""#, 180),
        ] as [(String, Double?)]
    )
    func renewsAtNineTenthsOfItsValidity(validity: String, seconds: Double?) {
        let viewer = registered(#""stream_id":"a""# + validity, after: validity.contains("1m40s") ? 1 : 0)
        #expect(viewer.timers[.renewal] == seconds.map { ScriptedCrowd.instant($0) })
    }

    @Test func theNewStreamIDIsUsedFromTheRenewalOn() {
        let viewer = registered(#""stream_id":"first","valid_for":"0h0m21s""#)
        viewer.answer(.multivariant)
        viewer.answer(.playlist)
        viewer.watch(seconds: 18.5)
        // The pod of the break at 20 s is already prepared when the session is renewed.
        #expect(viewer.scheduled.last?.url?.contains("stream_id=first") == true)
        viewer.watch(seconds: 0.5)
        viewer.answer(.registration, #"{"stream_id":"second","valid_for":"8h0m0s"}"#)
        #expect(viewer.counted(.registrationRenewed) == 1)
        #expect(viewer.scheduled.last?.url?.contains("stream_id=second") == true)
        viewer.watch(seconds: 1)
        #expect(viewer.first(.podManifest)?.url.contains("stream_id=second") == true)
    }

    @Test func aFailedRenewalKeepsTheOldSession() {
        let viewer = registered(#""stream_id":"first","valid_for":"0h0m10s""#)
        viewer.advance(seconds: 9)
        viewer.answer(.registration, status: 404)
        #expect(viewer.machine.facts.streamID == StreamID("first"))
    }

    @Test(arguments: ["9999999h0m0s", "0h0m0s"])
    func noValidityMakesAViewerRegisterWithoutPause(text: String) {
        let viewer = registered(#""stream_id":"a","valid_for":"\#(text)""#)
        let renewal = viewer.timers[.renewal] ?? .distantFuture
        #expect(renewal >= ScriptedCrowd.instant(0.9), "\(text)")
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
        let updates = try #require(SessionUpdates(Self.plan { $0.share = 0.1 }.session, seed: 7))
        let concerned = (0..<10_000).count { updates.concern(viewer: $0) }
        #expect(abs(concerned - 1_000) < 180)
    }

    @Test func aFailedUpdateEndsNoSession() {
        let viewer = Self.registered()
        let id = viewer.machine.facts.streamID
        viewer.advance(seconds: 16)
        viewer.answer(.sessionUpdate, status: 500)
        viewer.advance(seconds: 16)
        #expect(viewer.count(.registration) == 0 && viewer.machine.facts.streamID == id)
        #expect(viewer.count(.sessionUpdate) == 1, "the next one comes all the same")
        viewer.leave()
        #expect(viewer.timers.isEmpty, "and none after leaving")
    }

    @Test func withoutAnAddressNothingIsAskedAndThatIsCounted() {
        let viewer = Self.registered(at: nil)
        viewer.advance(seconds: 31)
        #expect(viewer.count(.sessionUpdate) == 0)
        #expect((2...6).contains(viewer.counted(.sessionUpdatesWithoutURL)))
        #expect(!viewer.machine.hasUpdatedSession)
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
            let isUpdated = viewer.machine.hasUpdatedSession
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

/// Sessions of targets other than Google's: who asks for one, and what is played when it is there.
@Suite struct TargetSessionTests {
    private static let mediaTailor = MediaTailorTarget(
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
    private func joined(_ session: MediaTailorTarget.Session = .explicit, number: Int = 0) -> ScriptedCrowd {
        var target = Self.mediaTailor
        target.session = session
        let viewer = ScriptedCrowd(plan(.mediaTailor(MediaTailorPlan(target: target))), number: number)
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
        #expect(viewer.open.map(\.url) == [master] && viewer.machine.facts.streamID != nil)
        viewer.answer(.multivariant)
        viewer.answer(.playlist)
        viewer.advance(seconds: 2)
        viewer.answer(.playlist, status: 400)
        #expect(viewer.open.map(\.url) == [master] && viewer.counted(.registrationRenewed) == 1)
    }

    @Test(arguments: [(403, ""), (200, "{}")])
    func withoutASessionThereIsNoChannel(status: Int, body: String) {
        let viewer = joined()
        viewer.answer(.registration, body, status: status)
        viewer.advance(seconds: 60)
        #expect(viewer.open.isEmpty && viewer.counted(.registrationFailed) == 1)
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
        #expect(viewer.counted(.registered) == 1 && viewer.counted(.registrationRenewed) == 1)
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

    private static let templates = URLTemplatesPlan(
        session: URLTemplatesPlan.Session(
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
        #expect(servers(.mediaTailor(MediaTailorPlan(target: Self.mediaTailor))) == ["http://127.0.0.1:8080"])
        let proxy = EyevinnProxyPlan(target: EyevinnProxyTarget(master: "http://127.0.0.1/m"))
        #expect(servers(.eyevinnProxy(proxy)) == ["http://127.0.0.1"])
        #expect(servers(.urlTemplates(Self.templates)) == ["http://127.0.0.1:8080"])
        var apart = Self.templates
        apart.pod = "https://ads.example/{break}"
        #expect(servers(.urlTemplates(apart)) == ["http://127.0.0.1:8080", "https://ads.example"])
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
