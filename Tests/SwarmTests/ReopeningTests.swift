import EventLoop
import LoadProfile
import Players
import Rulebook
import Testing
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What becomes of a viewer's place when somebody closes the application, and opens it again.
@Suite struct ReopeningTests {
    private static let plan = LoadPlan.forTests {
        $0.audience.viewers = 1
        $0.breaks.source = .none
        $0.audience.abandonment = AbandonmentPlan(
            afterStall: .seconds(20),
            afterStop: .seconds(5),
            reopenShare: 1,
            reopenAfter: .seconds(10)
        )
    }

    /// A viewer that joins, of a target that swallows requests.
    private static func joining(_ loop: EventLoop) throws -> ScriptedCrowd {
        let scripted = try ScriptedCrowd(plan, viewers: 1, loop: loop)
        scripted.crowd.timerFired(
            token: CrowdToken(index: 0, detail: CrowdToken.join).rawValue,
            deadline: scripted.start
        )
        return scripted
    }

    /// Has a viewer look at nothing until it has closed the application.
    private static func abandon(_ scripted: ScriptedCrowd) {
        let owner = scripted.crowd.viewers[0].owner
        #expect(scripted.transport.inFlight > 0)
        scripted.fire(.abandonment)
        #expect(owner.isClosed)
        // The script tells what a transport tells of an owner that is closed.
        for role in [ViewerRole.registration, .multivariant] {
            scripted.transport.answer(role, failure: .abandoned)
        }
        #expect(scripted.transport.inFlight == 0)
    }

    private static func reopen(_ scripted: ScriptedCrowd, at deadline: Instant) {
        scripted.crowd.timerFired(
            token: CrowdToken(index: 0, detail: CrowdToken.reopening).rawValue,
            deadline: deadline
        )
    }

    /// A target that swallows requests is not waited for: connections close with the application.
    @Test func whatIsUnderWayEndsWithTheApplication() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try Self.joining(loop)
            Self.abandon(scripted)
            let again = scripted.crowd.viewers[0]
            #expect(again.machine.phase == .waiting && again.machine.life == 1 && !again.owner.isClosed)
        }
    }

    /// Somebody waited in this seat before, and left it for good.
    @Test func onlyItsOwnTimerBringsAViewerBack() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try Self.joining(loop)
            Self.abandon(scripted)
            let viewer = scripted.crowd.viewers[0]
            let own = try #require(scripted.crowd.abandonments[0])
            Self.reopen(scripted, at: own.earlier(by: 1))
            #expect(viewer.machine.phase == .waiting)
            Self.reopen(scripted, at: own)
            #expect(viewer.machine.phase == .joining)
            #expect(scripted.crowd.abandonments.isEmpty)
        }
    }

    @Test func whoOpensTheApplicationVeryOftenIsNoNewViewer() async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try Self.joining(loop)
            for _ in 0..<300 {
                Self.abandon(scripted)
                Self.reopen(scripted, at: try #require(scripted.crowd.abandonments[0]))
            }
            #expect(scripted.crowd.viewers[0].machine.life == 255)
        }
    }
}
