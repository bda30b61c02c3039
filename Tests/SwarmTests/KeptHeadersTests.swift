import Destinations
import LoadProfile
import Testing

@testable import Audience
@testable import Swarm
@testable import Transport
@testable import Viewer

/// What is kept of viewers' headers between requests, and what they ask with.
@Suite struct KeptHeadersTests {
    private static let own = AudienceTrait("ppid", .digits(16))
    private static let alike = AudienceTrait("region", values: [.init("north", share: 1)])

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
        let origins = OriginTable(authorisedHosts: AuthorisedHosts(["a.example"]))
        let general = PreparedRequest(url: "http://a.example/media.m3u8")
        let first = general.sending { HeaderList([("X-A", "1")]) }
        let route = try #require(origins.route(of: first))
        #expect(general.route === route && general.sending { nil }.route === route)
        let second = general.sending { HeaderList([("X-A", "2")]) }
        #expect(origins.route(of: second) === route)
        let wires = [first, second].map { String(decoding: $0.wireBytes(TransportConfiguration()), as: UTF8.self) }
        #expect(wires[0].contains("\r\nX-A: 1\r\n") && wires[1] == wires[0].replacing("X-A: 1", with: "X-A: 2"))
    }

    @Test func headersOfAnotherServersRequestStayBehind() throws {
        let origins = OriginTable(
            authorisedHosts: AuthorisedHosts(["a.example", "b.example"], of: ["http://a.example/"], headersAlsoTo: [])
        )
        let general = PreparedRequest(url: "http://b.example/media.m3u8")
        for _ in 0..<2 {
            let request = general.sending { HeaderList([("X-Key", "secret"), ("User-Agent", "player")]) }
            #expect(origins.route(of: request) != nil)
            #expect(request.headers?.fields.map(\.name) == ["User-Agent"])
        }
    }
}
