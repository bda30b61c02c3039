import Rules
import Testing
import Values

@testable import Audit
@testable import Profile
@testable import Swarm
@testable import Transport
@testable import Viewer

/// Requests that are sent again and again, or by thousands at one instant, are made once and before.
@Suite struct SteadyStateTests {
    @Test(arguments: [false, true])
    func everyPollOfAViewerIsTheSameRequest(identifiesViewers: Bool) {
        let crowd = ScriptedCrowd.allWatching(viewers: 2, identifiesViewers: identifiesViewers)
        for version in 2..<12 {
            crowd.version = version / 2
            for index in 0..<2 { #expect(crowd.fire(.reload, of: index), "version \(version)") }
            crowd.answerAll()
        }
        let polls = (0..<2).map { crowd.transport.requests(.playlist, of: $0) }
        for viewer in polls { #expect(viewer.count == 11 && viewer.allSatisfy { $0 === viewer.first }) }
        // Only a header that is the viewer's own needs a request of its own.
        #expect((polls[0].first === polls[1].first) == !identifiesViewers)
        #expect(crowd.parsed == 6)
        crowd.watch(seconds: 25)
        for index in 0..<2 {
            let metadata = crowd.transport.requests(.metadata, of: index)
            #expect(metadata.count > 1 && metadata.allSatisfy { $0 === metadata.first })
        }
    }

    @Test func whatABreakAsksForIsThereBeforeItsInstantAndLetGoAfterwards() throws {
        let viewer = ScriptedCrowd.watching()
        let slot = viewer.slot()
        #expect(slot.podRequest == nil)
        viewer.fire(.breakPreparation)
        let prepared = try #require(slot.podRequest)
        viewer.fire(.breakFetch)
        #expect(viewer.transport.requests(.podManifest).first === prepared)
        viewer.answerPod([10])
        viewer.fire(.breakStart)
        #expect(slot.machine.screen.keepsExtras)
        viewer.watch(seconds: 10.5)
        #expect(slot.machine.phase == .watching && slot.podRequest == nil)
    }

    @Test func viewersOfOneBreakShareItsDescriptionAndThePlaylist() {
        let crowd = ScriptedCrowd.allWatching(viewers: 2)
        #expect(crowd.slot(0).planned != nil && crowd.slot(1).planned === crowd.slot(0).planned)
        #expect(crowd.slot(0).machine.screen.playback.latest === crowd.slot(1).machine.screen.playback.latest)
    }

    /// Thousands of each are held, or passed on at each poll; what grows them is to be seen.
    @Test func whatThereIsThousandsOfStaysSmall() {
        #expect(MemoryLayout<ViewerMachine>.size <= 320)
        #expect(MemoryLayout<ViewerAction>.size <= 40 && MemoryLayout<ViewerEvent>.size <= 48)
        #expect(MemoryLayout<Screen>.size <= MemoryLayout<PlaybackPart>.size + 112 && MemoryLayout<Break>.size <= 152)
    }
}

/// Headers of viewers that are kept between requests, and those that are made for each.
@Suite struct KeptHeadersTests {
    private static let own = AudienceTrait("ppid", .digits(16))
    private static let alike = AudienceTrait("region", .values([.init("north", share: 1)]))

    private static func plan(_ traits: [AudienceTrait], _ headers: [String: String]) -> LoadPlan {
        .forTests {
            $0.audience.traits = traits
            $0.connection.headers = headers
            $0.playback.pollsMetadata = true
        }
    }

    private static func value(_ name: String, _ request: PreparedRequest?) -> String? {
        request?.headers?.fields.first { $0.name == name }?.value
    }

    @Test func headersThatAreAViewersOwnAreMadeForEachRequestAndNotKept() {
        let plan = Self.plan([Self.own], ["X-PPID": "{ppid}", "X-Place": "here"])
        let crowd = ScriptedCrowd.allWatching(plan, viewers: 2)
        let traits = AudienceTraits(plan.audience, seed: plan.seed)
        for _ in 0..<10 {
            crowd.advance(seconds: 2)
            crowd.answerAll { $0.role == .podManifest ? nil : .init(body: AnswerBody.ordinary($0, version: 1)) }
        }
        for viewer in crowd.crowd.viewers {
            guard case .none = viewer.headers else {
                Issue.record("headers of viewer \(viewer.machine.number) are kept")
                continue
            }
            #expect(viewer.playlistRequest == nil && viewer.metadataRequest == nil && viewer.podRequest == nil)
        }
        for request in crowd.transport.sent {
            let prepared = request.transfer.request
            #expect(Self.value("X-PPID", prepared) == traits.values(ofViewer: request.viewer)["ppid"])
            #expect(Self.value("X-Place", prepared) == "here")
        }
        let polls = (0..<2).map { crowd.transport.requests(.playlist, of: $0) }
        #expect(polls.allSatisfy { $0.count > 2 })
        #expect(Set(polls.joined().map(ObjectIdentifier.init)).count == polls.joined().count)
        #expect(Self.value("X-PPID", polls[0][0]) != Self.value("X-PPID", polls[1][0]))
        #expect(crowd.asked(.metadata).count > 1 && crowd.count(.podManifest) == 2)
    }

    @Test func pollsWithHeadersThatAreAlikeAreOneRequest() {
        let crowd = ScriptedCrowd.allWatching(Self.plan([Self.alike], ["X-Region": "{region}"]), viewers: 2)
        crowd.advance(seconds: 2)
        let polls = (0..<2).flatMap { crowd.transport.requests(.playlist, of: $0) }
        #expect(polls.count > 3 && Set(polls.map(ObjectIdentifier.init)).count == 1)
        #expect(Self.value("X-Region", polls.first) == "north")
    }

    @Test func theWayOfARequestIsSharedByThoseMadeFromIt() throws {
        let origins = try OriginTable(TransportConfiguration(.usual, permitting: AuthorisedHosts(["a.example"])))
        let general = PreparedRequest(url: "http://a.example/media.m3u8")
        let first = general.sending { HeaderList([("X-A", "1")]) }
        let route = try #require(origins.route(of: first))
        for request in [general, general.sending { nil }] {
            #expect(request.route(knownTo: origins.identity) === route)
        }
        let second = general.sending { HeaderList([("X-A", "2")]) }
        #expect(origins.route(of: second) === route)
        let wires = [first, second].map { String(decoding: $0.wireBytes(TransportConfiguration()), as: UTF8.self) }
        #expect(wires[0].contains("\r\nX-A: 1\r\n") && wires[1] == wires[0].replacing("X-A: 1", with: "X-A: 2"))
    }

    @Test func headersOfAnotherServersRequestStayBehind() throws {
        let hosts = AuthorisedHosts(["a.example", "b.example"], of: ["http://a.example/"], headersAlsoTo: [])
        let origins = try OriginTable(TransportConfiguration(.usual, permitting: hosts))
        let general = PreparedRequest(url: "http://b.example/media.m3u8")
        for _ in 0..<2 {
            let request = general.sending { HeaderList([("X-Key", "secret"), ("User-Agent", "player")]) }
            #expect(origins.route(of: request) != nil)
            #expect(request.headers?.fields.map(\.name) == ["User-Agent"])
        }
    }
}

/// A viewer's place when its person closes the application, and opens it again.
@Suite struct ReopeningTests {
    /// A viewer that joins, of a target that swallows requests, and waits until the application is closed.
    private static func abandoned() -> ScriptedCrowd {
        let crowd = ScriptedCrowd(
            .forTests {
                $0.breaks.source = .none
                $0.audience.abandonment = AbandonmentPlan(
                    afterStall: .seconds(20),
                    afterStop: .seconds(5),
                    reopenShare: 1,
                    reopenAfter: .seconds(10)
                )
            }
        )
        crowd.join()
        abandon(crowd)
        return crowd
    }

    private static func abandon(_ crowd: ScriptedCrowd) {
        let owner = crowd.slot().owner
        #expect(crowd.transport.inFlight > 0)
        crowd.fire(.abandonment)
        crowd.advance(seconds: 0)
        #expect(owner.isClosed && crowd.transport.inFlight == 0)
    }

    /// A target that swallows requests is not waited for: connections close with the application.
    @Test func whatIsUnderWayEndsWithTheApplication() {
        let crowd = Self.abandoned()
        #expect(crowd.machine.phase == .waiting && crowd.machine.life == 1 && !crowd.slot().owner.isClosed)
    }

    /// Another viewer waited in this seat before, and left it for good.
    @Test func onlyItsOwnTimerBringsAViewerBack() throws {
        let crowd = Self.abandoned()
        let own = try #require(crowd.crowd.abandonments[0])
        let token = CrowdToken(index: 0, detail: CrowdToken.reopening).rawValue
        crowd.crowd.timerFired(token: token, deadline: own.earlier(by: 1))
        #expect(crowd.machine.phase == .waiting)
        crowd.advance(seconds: 15)
        #expect(crowd.machine.phase == .joining && crowd.crowd.abandonments.isEmpty)
        #expect(crowd.asked(.registration).last == ScriptedCrowd.seconds(own))
    }

    @Test func whoOpensTheApplicationVeryOftenIsNoNewViewer() {
        let crowd = Self.abandoned()
        for _ in 0..<300 {
            crowd.advance(seconds: 15)
            Self.abandon(crowd)
        }
        #expect(crowd.machine.life == 255)
    }
}

/// Answers that are under way when a run is over.
@Suite struct EndOfRunTests {
    /// Two viewers who have both asked for their playlist once more when all are told to stop.
    private func ending(_ body: (ScriptedCrowd, () -> Bool) -> Void) {
        let crowd = ScriptedCrowd.allWatching(viewers: 2)
        crowd.advance(seconds: 2)
        var isDone = false
        crowd.crowd.end.begin(at: crowd.now)
        crowd.crowd.stop { isDone = true }
        #expect(!isDone, "answers are under way")
        body(crowd) { isDone }
    }

    /// Large answers are recorded and not understood, and none once that took its time.
    @Test(arguments: [(0, 0, 2), (1 << 20, 0, 0), (0, 1_000_000_000, 0)] as [(Int, Int64, Int)])
    func answersAfterTheEndAreUnderstoodWhileThereIsTime(padding: Int, understoodFor: Int64, parsed: Int) {
        ending { crowd, isDone in
            let before = crowd.parsed
            crowd.crowd.understoodAtEnd = understoodFor
            let comment = String(repeating: "#" + String(repeating: "-", count: 98) + "\n", count: padding / 100)
            crowd.answerAll { .init(body: AnswerBody.media(207 + $0.viewer) + comment) }
            #expect(crowd.parsed == before + parsed)
            #expect(isDone())
        }
    }

    @Test func whatIsOpenWhenTheGreatestTimeoutHasPassedIsAbandoned() {
        ending { crowd, isDone in
            #expect(!crowd.crowd.viewers.contains { $0.owner.isClosed })
            crowd.advance(seconds: 9.9)
            #expect(!isDone())
            crowd.advance(seconds: 0.2)
            #expect(crowd.crowd.viewers.allSatisfy { $0.owner.isClosed } && isDone())
        }
    }

    @Test func theGreatestTimeoutIsThatOfTheMostPatientPlayer() {
        var patient = Persona.ofProfile(LoadPlan.forTests { _ in }.playback)
        let plain = RequestLimits([PersonaShare(patient, share: 1)])
        #expect(plain.greatestTotal(otherwise: 5_000_000_000) == 5_000_000_000)
        patient.requests.assetList.total = .seconds(60)
        let limits = RequestLimits([PersonaShare(patient, share: 1)])
        #expect(limits.greatestTotal(otherwise: 5_000_000_000) == 60_000_000_000)
        #expect(limits.greatestTotal(otherwise: 90_000_000_000) == 90_000_000_000)
    }
}

/// Values that cross between a crowd, its transport and its recorder.
@Suite struct CrowdMappingTests {
    @Test func aTokenComesBackAsItWentOut() {
        for index in [0, 1, 4999, 1 << 24] {
            for detail in [UInt8(0), 9, CrowdToken.join] {
                for serial in [UInt16(0), 1, .max] {
                    let token = CrowdToken(index: index, detail: detail, breakSerial: serial)
                    #expect(CrowdToken(rawValue: token.rawValue) == token)
                }
            }
        }
    }

    @Test func aViewerHasRoomForEachOfItsTimers() {
        #expect(ViewerTimer.allCases.allSatisfy { Int($0.rawValue) < ViewerSlot.Deadlines.count })
    }

    @Test func everyRoleIsMeasuredAndOnlyReadBodiesAreKept() {
        #expect(Set(ViewerRole.allCases.map(\.kind)) == Set(RequestKind.allCases))
        let unread: [ViewerRole] = [
            .segment, .podSegment, .verification, .beacon, .part, .sessionUpdate, .key, .preflight,
        ]
        #expect(ViewerRole.allCases.filter { !$0.traits.contains(.keepsBody) } == unread)
    }

    @Test func theTransportIsSetUpAsThePlanSays() {
        var plan = ConnectionPlan.forTests
        plan.version = .http2
        plan.verifiesTLS = false
        plan.caFile = "/ca.pem"
        plan.sourceAddresses = ["127.0.0.2"]
        plan.maximumRedirects = 5
        plan.acceptsCompression = false
        let hosts = AuthorisedHosts(["example.com"])
        let configuration = TransportConfiguration(plan, permitting: hosts)
        #expect(configuration.httpVersion == .http2 && configuration.caFile == "/ca.pem")
        #expect(!configuration.verifyTLS && !configuration.acceptEncoding)
        #expect(configuration.sourceAddresses == ["127.0.0.2"] && configuration.maximumRedirects == 5)
        #expect(configuration.maximumBodyBytes == 1 << 20 && configuration.totalTimeout == .seconds(10))
        #expect(configuration.authorisedHosts.permits(url: "https://example.com/x"))
        #expect(!configuration.authorisedHosts.permits(url: "https://example.org/x"))
    }
}

@Suite struct PollSlotsTests {
    @Test(arguments: [
        (1, 5_000_000, 5_000_000), (1, 5_000_001, 6_000_000), (1, 5_999_999, 6_000_000), (4, 5_000_000, 8_000_000),
        (0, 5_000_001, 5_000_001), (-1, 5_000_001, 5_000_001),
    ])
    func aPollIsPutOffToTheNextSlot(milliseconds: Int, wanted: Int64, slot: Int64) {
        let slots = PollSlots(length: .milliseconds(milliseconds))
        #expect(slots.slot(for: Instant(nanoseconds: wanted)) == Instant(nanoseconds: slot))
    }

    /// A slot must not turn what never comes, or has come already, into something else; the last of the clock traps nothing.
    @Test(arguments: [Instant.zero, .distantPast, .distantFuture]) func whatHasNoInstantHasNoSlot(instant: Instant) {
        let slots = PollSlots(length: .milliseconds(7))
        #expect(slots.slot(for: instant) == instant)
        #expect(slots.slot(for: Instant(nanoseconds: .max - 1)) >= Instant(nanoseconds: .max - 1))
    }

    /// A cadence of whole slots stays what it is: nothing is put off a second time.
    @Test func aCadenceDoesNotDrift() {
        let slots = PollSlots(length: .milliseconds(1))
        let first = slots.slot(for: Instant(nanoseconds: 1_234_567))
        for seconds in 1...100 {
            let next = first.later(by: .seconds(seconds))
            #expect(slots.slot(for: next) == next)
        }
    }
}
