import LoadProfile
import Testing
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

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
        #expect(crowd.machine.phase == .joining)
        #expect(crowd.crowd.abandonments.isEmpty)
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
