import HLS
import HTTPTypes
import Testing

@testable import Origin

@Suite struct EdgePlanTests {
    private let now = WallTime(microseconds: 1_800_000_000_000_000)

    private func edges(_ plan: EdgePlan, viewer: UInt64, polls: Int = 20) -> [Int] {
        (0..<polls).map { poll in
            plan.edge(viewer: viewer, at: now + .seconds(2) * poll, targetDuration: .seconds(2), seed: 1)
        }
    }

    @Test func oneEdgeIsNone() throws {
        #expect(Set(edges(EdgePlan(), viewer: 3)) == [1])
        #expect(try FaultPlanReader.read("[{fault: reset}]", seed: 1).edges == EdgePlan())
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

    @Test func edgesAreReadBesideTheFaults() throws {
        let plan = try FaultPlanReader.read(
            """
            faults: [{fault: edge_behind, edge: 2, shift: -6s}]
            edges: {count: 3, assignment: request}
            """,
            seed: 1
        )
        #expect(plan.edges == EdgePlan(count: 3, assignment: .request))
        #expect(plan.faults.map(\.edge) == [2])
    }

    @Test(arguments: [
        ("faults: [{fault: reset, edge: 2}]", "edge must be a number from 1 to edges.count, which is 1"),
        ("{edges: {count: 0}, faults: []}", "count must be a number from 1 to 64"),
        ("{edges: {count: 2, assignment: chance}}", "assignment must be viewer or request"),
        ("{edges: {cuont: 2}}", "did you mean count?"),
        ("{edges: 3}", "edges must be a mapping"),
        ("{edge: {count: 3}}", "did you mean edges?"),
    ])
    func mistakesAreNamed(text: String, part: String) {
        do {
            _ = try FaultPlanReader.read(text, seed: 1)
            Issue.record("read without a mistake")
        } catch {
            #expect(error.description.contains(part), "\(error)")
        }
    }

    @Test func anEdgesFaultLeavesTheOthersAlone() throws {
        let probe = try ServiceProbe(
            faults: """
                faults: [{fault: edge_behind, edge: 2, shift: -6s}]
                edges: {count: 3, assignment: viewer}
                """
        )
        let plan = try FaultPlanReader.read(
            "{edges: {count: 3}, faults: [{fault: edge_behind, edge: 2, shift: -6s}]}",
            seed: 1
        )
        for edge in 1...3 {
            let occasion = FaultOccasion(
                kind: .playlist,
                now: probe.now,
                elapsed: .zero,
                breakNumber: 1,
                breakStart: probe.now,
                viewer: 1,
                repetition: 0,
                targetDuration: .seconds(2),
                edge: edge
            )
            let frozen = plan.effects(on: occasion)?.playlistFrozenAt
            #expect(frozen == (edge == 2 ? probe.now - .seconds(6) : nil), "edge \(edge)")
        }
    }

    @Test func anEdgeThatWasThrownBackCatchesUp() throws {
        let plan = try FaultPlanReader.read("[{fault: edge_time_travel}]", seed: 1)
        let lags = (-2..<10).map { second -> Duration in
            let occasion = FaultOccasion(
                kind: .playlist,
                now: now + .seconds(second),
                elapsed: .zero,
                breakNumber: 1,
                breakStart: now,
                viewer: 1,
                repetition: 0,
                targetDuration: .seconds(2)
            )
            return plan.effects(on: occasion)?.playlistFrozenAt.map { occasion.now.duration(since: $0) } ?? .zero
        }
        #expect(lags == [0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0].map { .seconds($0) })
    }
}

@Suite struct AudienceFaultTextTests {
    private let start = WallTime(microseconds: 1_800_000_000_000_000)

    private func edited(_ fault: String, _ lines: [String]) throws -> [String] {
        let plan = try FaultPlanReader.read("[{fault: \(fault)}]", seed: 1)
        let occasion = FaultOccasion(
            kind: .playlist,
            now: start,
            elapsed: .zero,
            breakNumber: 1,
            breakStart: start,
            viewer: 1,
            repetition: 0,
            targetDuration: .seconds(2)
        )
        var edit = AnswerEdit(status: .ok, fields: [:], lines: lines)
        for fault in plan.faults { fault.kind.edit?(&edit, fault, occasion) }
        return edit.lines
    }

    private func range(_ seconds: Int, _ more: String = "") -> String {
        "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"\((start + .seconds(seconds)).iso8601)\"\(more),X-A=1"
    }

    @Test func onlyTheBreakOfTheOccasionIsTouched() throws {
        let lines = [range(0), range(60), "a.m4s"]
        #expect(try edited("break_announcement_missing", lines) == [range(60), "a.m4s"])
        #expect(
            try edited("break_announcement_differs", lines) == [
                range(0).replacing("ID=\"a\"", with: "ID=\"b-a\""), range(60), "a.m4s",
            ]
        )
        #expect(try edited("break_start_differs, shift: 1s", lines) == [range(1), range(60), "a.m4s"])
    }

    @Test func anEarlyReturnIsLeftOut() throws {
        #expect(try edited("early_return_missed", [range(0, ",X-PLAYOUT-LIMIT=4")]) == [range(0)])
    }

    @Test func segmentsOfTheFirstTwoTargetDurationsGetOtherNames() throws {
        func segments(_ names: [String]) -> [String] {
            ["#EXT-X-PROGRAM-DATE-TIME:\((start - .seconds(2)).iso8601)"] + names.flatMap { ["#EXTINF:2,", $0] }
        }
        let edited = try edited("edge_content_differs", segments(["1.m4s", "2.m4s", "3.m4s", "4.m4s"]))
        #expect(edited == segments(["1.m4s", "./2.m4s", "./3.m4s", "4.m4s"]))
    }
}

extension AudienceFaultTextTests {
    @Test(arguments: ["playlist", "metadata"])
    func anothersSessionIsPutBesideWhatABodySays(kind: String) throws {
        let plan = try FaultPlanReader.read("[{fault: foreign_stream_id, kinds: [\(kind)]}]", seed: 1)
        var occasion = FaultOccasion(
            kind: kind == "playlist" ? .playlist : .metadata,
            now: start,
            elapsed: .zero,
            breakNumber: 1,
            breakStart: start,
            viewer: 1,
            repetition: 0,
            targetDuration: .seconds(2)
        )
        occasion.neighbour = "00000000-0000-4000-8000-000000000001:TUL"
        let lines = kind == "playlist" ? ["#EXTM3U", "a.m4s"] : [#"{"tags":{}}"#]
        var edit = AnswerEdit(status: .ok, fields: [:], lines: lines)
        for fault in plan.faults { fault.kind.edit?(&edit, fault, occasion) }
        #expect(edit.lines.joined().contains("stream_id=00000000-0000-4000-8000-000000000001%3ATUL&aws.sessionId="))
        #expect(plan.effects(on: occasion)?.foreignStreamID == nil)
    }
}
