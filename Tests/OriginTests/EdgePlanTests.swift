import HLS
import Testing

@testable import Origin

@Suite struct EdgePlanTests {
    private func edges(_ plan: EdgePlan, viewer: UInt64, polls: Int = 20) -> [Int] {
        let start = WallTime(microseconds: 1_800_000_000_000_000)
        return (0..<polls).map { poll in
            plan.edge(viewer: viewer, at: start + .seconds(2) * poll, targetDuration: .seconds(2), seed: 1)
        }
    }

    @Test func oneEdgeIsNone() throws {
        #expect(Set(edges(EdgePlan(), viewer: 3)) == [1])
        #expect(try FaultPlan.read("[{fault: reset}]", seed: 1).edges == EdgePlan())
    }

    @Test func aViewerStaysAtItsEdgeAndViewersSpread() {
        let plan = EdgePlan(count: 3, assignment: .viewer)
        let reached = (0..<50).map { Set(edges(plan, viewer: $0)) }
        #expect(reached.allSatisfy { $0.count == 1 })
        #expect(Set(reached.flatMap(\.self)) == [1, 2, 3])
        for edge in 1...3 { #expect(reached.filter { $0 == [edge] }.count > 8, "edge \(edge)") }
    }

    @Test func requestsOfOneViewerReachAllEdges() {
        #expect(Set(edges(EdgePlan(count: 3, assignment: .request), viewer: 7)) == [1, 2, 3])
    }

    @Test func anEdgesFaultLeavesTheOthersAlone() throws {
        let plan = try FaultPlan.read(
            "{edges: {count: 3, assignment: request}, faults: [{fault: edge_behind, edge: 2, shift: -6s}]}",
            seed: 1
        )
        #expect(plan.edges == EdgePlan(count: 3, assignment: .request))
        for edge in 1...3 {
            var occasion = FaultPlanTests.occasion(.playlist)
            occasion.edge = edge
            let frozen = plan.effects(on: occasion)?.playlistFrozenAt
            #expect(frozen == (edge == 2 ? occasion.now - .seconds(6) : nil), "edge \(edge)")
        }
    }
}
