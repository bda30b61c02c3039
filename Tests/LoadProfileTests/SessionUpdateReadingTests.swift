import Testing

@testable import Profile

/// Viewers that tell the ad server something else in mid-session, as a profile has them.
@Suite struct SessionUpdateReadingTests {
    private static func session(_ target: String) throws -> SessionPlan {
        let audience = "{viewers: 10, traits: [{name: region, values: [a, b]}]}"
        switch try Samples.plan(Samples.profile(target: target, audience: audience)).target {
        case .embedded(let origin): return origin.session
        case .podServing(let target): return target.session
        default: throw Unexpected()
        }
    }

    private struct Unexpected: Error {}

    @Test func whatIsLeftOutIsAsRegistrationsAre() throws {
        let updates = "{share: 10%, every: 9s, adTagParameters: {npa: '1'}}"
        let session = try Self.session("{embedded: {adTagParameters: {npa: '0'}, sessionUpdates: \(updates)}}")
        let usual = SessionUpdatePlan(share: 0.1, every: .seconds(9), adTagParameters: ["npa": "1"])
        #expect(session.updates == usual)
        #expect(usual.body == .form && usual.extent == .all)
        #expect(try Self.session("embedded").updates == nil)
    }

    @Test func eachAssumptionHasItsSetting() throws {
        let updates = "{share: 10%, every: 9s, adTagParameters: {who: '{region}'}, body: json, sends: changed}"
        let session = try Self.session(Samples.podServing("sessionUpdates: \(updates)"))
        #expect(session.updates?.body == .json && session.updates?.extent == .changed)
        #expect(session.updates?.adTagParameters == ["who": "{region}"])
    }
}
