import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Testing
import Values

@testable import Origin

/// What the origin does about sessions that tell something else.
@Suite struct SessionUpdateTests {
    private static func probe() throws -> ServiceProbe {
        try ServiceProbe {
            $0.aimingParameter = "cohort"
            $0.countedFields = [CountedField(.registration, "cohort"), CountedField(.update, "cohort")]
        }
    }

    private static func ads(_ probe: ServiceProbe, _ session: StreamSession, _ pod: String) throws -> [String] {
        let id = try #require(session.streamID)
        let playlist = try probe.media(probe.podPlaylist(pod, id))
        return playlist.segments.map { PlayedAddress().text(of: playlist.uri(of: $0), own: [id.rawValue]) }
    }

    @Test(arguments: [false, true]) func laterPodsAreAimedByWhatWasToldLast(isJSON: Bool) throws {
        let probe = try Self.probe()
        let north = try probe.register("cohort=north", viewer: 1)
        let south = try probe.register("cohort=south", viewer: 2)
        let before = try Self.ads(probe, north, "pod/1")
        #expect(try Self.ads(probe, south, "pod/1") != before)
        let body = isJSON ? #"{"cohort":"south"}"# : "cohort=south"
        #expect(probe.post(try probe.path(north.sessionUpdateURL), body: body, isJSON: isJSON, viewer: 1).status == .ok)
        #expect(try Self.ads(probe, north, "pod/2") == Self.ads(probe, south, "pod/2"))
        #expect(probe.service.sessions.aim(ofViewer: 1) == PodAim(value: "south"))
    }

    @Test func whatIsNotNamedStaysAsItWas() throws {
        let probe = try Self.probe()
        let session = try probe.register("cohort=north", viewer: 1)
        #expect(probe.post(try probe.path(session.sessionUpdateURL), body: "npa=1", viewer: 1).status == .ok)
        #expect(probe.service.sessions.aim(of: try #require(session.streamID).rawValue) == PodAim(value: "north"))
    }

    @Test func aSessionBeforeTheLastAimsNothingOfTheLast() throws {
        let probe = try Self.probe()
        let first = try probe.register("cohort=north", viewer: 1)
        _ = try probe.register("cohort=east", viewer: 1)
        #expect(probe.post(try probe.path(first.sessionUpdateURL), body: "cohort=south", viewer: 1).status == .ok)
        #expect(probe.service.sessions.aim(ofViewer: 1) == PodAim(value: "east"))
    }

    /// A viewer that registers again says what it told, which may be a secret where what it said first was none.
    @Test func aSecretThatWasToldIsNotShownWhereItIsRegisteredWith() throws {
        let probe = try ServiceProbe {
            $0.countedFields = [CountedField(.registration, "who"), CountedField(.update, "who", showsValues: false)]
        }
        _ = try probe.register("who=four", viewer: 4)
        _ = try probe.register("who=hunter2", viewer: 4)
        let truth = probe.service.truth(at: probe.now)
        #expect(truth.told?["update who"]?.numbers == "4" && truth.told?["update who"]?.viewersOfOtherValues == 1)
        #expect(try !String(decoding: truth.json(), as: UTF8.self).contains("hunter2"))
    }
}
