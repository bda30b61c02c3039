import AdServing
import Origin
import Rules
import Testing
import Transport
import Values

@testable import Profile
@testable import Results
@testable import Swarm
@testable import Viewer

/// A crowd in virtual time, before a target and over a network that a test makes up.
@Suite struct VirtualSwarmTests {
    private struct Played {
        let target: ScriptedTarget
        let totals: RunTotals
        let clock: VirtualClock
        let pulse: SwarmPulse

        func outcomes(of kind: RequestKind) -> [String: UInt64] { totals.requests.outcomesByCode(kind) }

        /// Of all kinds.
        var outcomes: [String: UInt64] {
            RequestKind.allCases.reduce(into: [:]) { $0.merge(outcomes(of: $1)) { $0 + $1 } }
        }

        var count: UInt64 { outcomes.values.reduce(0, +) }
    }

    /// Two minutes of twelve viewers, a break every twenty seconds.
    private static func play(
        _ network: VirtualNetwork,
        _ change: (inout LoadPlan) -> Void = { _ in },
        hold: @escaping (Int) -> Duration = { _ in .zero }
    ) async throws -> Played {
        let plan = LoadPlan.forTests {
            $0.audience.viewers = 12
            $0.audience.ramp = .seconds(3)
            $0.duration = .seconds(120)
            change(&$0)
        }
        let (clock, target) = (VirtualClock(at: VirtualClock.start), ScriptedTarget())
        target.hold = hold
        let server = "http://127.0.0.1:8080"
        let run = try await SwarmRun(
            plan,
            endpoints: TargetEndpoints(
                contentURL: server + "/live/main/multivariant.m3u8",
                adServers: [server],
                session: plan.session,
                identifiesViewers: false
            ),
            authorisedHosts: AuthorisedHosts(),
            timebase: Timebase(start: VirtualClock.start, wallStart: ScriptedCrowd.wallStart),
            place: .virtual(clock, target, network)
        )
        await run.sleep(until: VirtualClock.start.later(by: plan.duration))
        await run.stop()
        let pulse = await run.pulse()
        let totals = await run.totals()
        await run.shutDown()
        return Played(target: target, totals: RunTotals(merging: totals), clock: clock, pulse: pulse)
    }

    private static func rough(seed: UInt64) -> VirtualNetwork {
        var network = VirtualNetwork(latency: .milliseconds(20), seed: seed)
        (network.jitter, network.stall) = (.milliseconds(80), .seconds(2))
        (network.stalled, network.lost, network.reset, network.refused) = (0.03, 0.03, 0.03, 0.03)
        return network
    }

    @Test func equalSeedsGiveEqualRunsWhoseAnswersAreCountedOnce() async throws {
        let one = try await Self.play(Self.rough(seed: 3))
        let other = try await Self.play(Self.rough(seed: 3))
        #expect(one.target.asked == other.target.asked && one.target.asked.count > 700)
        #expect(one.clock.now == other.clock.now)
        let another = try await Self.play(Self.rough(seed: 4))
        #expect(another.target.asked != one.target.asked)
        #expect(one.count == UInt64(one.target.asked.count), "\(one.outcomes)")
        for code in ["http_200", "http_503", "connection_reset", "first_byte_timeout"] {
            #expect(one.outcomes[code, default: 0] > 3, "\(code) in \(one.outcomes)")
        }
        #expect(one.pulse.viewers(.gone) == 12)
    }

    @Test func aConnectionIsOneViewersAndEndsWithAReset() async throws {
        let whole = try await Self.play(VirtualNetwork(latency: .milliseconds(1)))
        #expect(whole.target.connections.count == 12 && whole.target.closed == 12)
        var network = VirtualNetwork(latency: .milliseconds(1), seed: 5)
        network.reset = 0.05
        let cut = try await Self.play(network)
        let resets = cut.outcomes["connection_reset", default: 0]
        #expect(resets > 0 && cut.target.connections.count == cut.target.closed)
        #expect(UInt64(cut.target.closed) <= resets + 12)
    }

    /// Some overtake others, and those of a second come at one instant.
    @Test func answersMayComeInAnyOrder() async throws {
        let holds = [900, 0, 450]
        let played = try await Self.play(VirtualNetwork(latency: .zero), hold: { .milliseconds(holds[$0 % 3]) })
        #expect(played.outcomes(of: .playlist).keys.sorted() == ["http_200"])
        #expect(played.count == UInt64(played.target.asked.count))
    }

    /// Half of the viewers are replaced each minute, while the target takes its time.
    @Test func whatComesAfterItsViewerLeftIsCountedAllTheSame() async throws {
        let churn: (inout LoadPlan) -> Void = { $0.audience.churnPerMinute = 0.5 }
        let played = try await Self.play(VirtualNetwork(latency: .seconds(3)), churn)
        #expect(played.target.connections.count > 14 && played.count == UInt64(played.target.asked.count))
        #expect(played.pulse.viewers(.gone) == 12)
    }

    @Test func whatIsUnderWayEndsWithTheApplicationThatIsClosed() async throws {
        var network = VirtualNetwork(latency: .milliseconds(1))
        network.lost = 1
        let played = try await Self.play(network) {
            ($0.connection.firstByteTimeout, $0.connection.totalTimeout) = (.seconds(60), .seconds(60))
            $0.audience.abandonment = AbandonmentPlan(
                afterStall: .seconds(20),
                afterStop: .seconds(5),
                reopenShare: 0,
                reopenAfter: .seconds(10)
            )
        }
        #expect(played.outcomes.keys.sorted() == ["abandoned"] && played.count == 24)
        #expect(played.target.closed == 12 && played.pulse.viewers(.gone) == 12)
    }
}

/// A live channel and its ad server in a few lines, before viewers in virtual time.
final class ScriptedTarget: VirtualTarget {
    struct Asked: Equatable {
        var at: WallTime
        var role: ViewerRole
        var viewer: Int
        var url: String
    }

    private(set) var asked: [Asked] = []
    private(set) var closed = 0
    private(set) var connections: Set<ObjectIdentifier> = []
    private var kept: [VirtualConnection] = []
    /// How long the answer to a request is held, by its place among all.
    var hold: (Int) -> Duration = { _ in .zero }

    func answer(_ request: VirtualRequest, at now: WallTime) -> VirtualAnswer {
        if connections.insert(ObjectIdentifier(request.connection)).inserted { kept.append(request.connection) }
        let url = request.request.url
        asked.append(Asked(at: now, role: request.role, viewer: request.viewer, url: url))
        let body = Self.body(request.role, viewer: request.viewer, at: now)
        return VirtualAnswer(body: body, url: url, releasedAt: now + hold(asked.count))
    }

    func closed(_ connection: VirtualConnection) { closed += 1 }

    private static func body(_ role: ViewerRole, viewer: Int, at now: WallTime) -> String {
        switch role {
        case .registration:
            let number = String(String(1_000_000_000_000 + viewer).dropFirst())
            return AnswerBody.registration().replacing("000000000000:", with: "\(number):")
        case .multivariant: return AnswerBody.oneVariant
        case .playlist: return AnswerBody.media(Int(now.microseconds / 2_000_000) - 5)
        case .podManifest, .podRepeat: return AnswerBody.pod([10])
        default: return role == .metadata ? "{}" : ""
        }
    }
}

extension VirtualAnswer {
    init(status: Int = 200, body: String, url: String, releasedAt: WallTime) {
        self.init(url: url, releasedAt: releasedAt)
        self.status = status
        self.body = { Array(body.utf8).withUnsafeBytes($0) }
    }
}
