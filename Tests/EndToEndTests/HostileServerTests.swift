import Foundation
import RunResult
import TestSupport
import Testing

/// Whatever a server answers, a run ends when it said, within its memory, and names what was wrong.
///
/// The lies and what is right to come of each stand in `Tests/HostileServer`, which prints them as a table.
@Suite struct HostileServerTests {
    private typealias Lie = HostileServer.Lie

    /// Lies by what they are about, and how many runs are told one at the same time: large bodies need a core each.
    private static let groups: [(name: String, atOnce: Int)] = [
        ("time", 8), ("ends", 8), ("status", 8), ("fields", 8), ("framing", 8), ("chunks", 8), ("codings", 6),
        ("redirects", 8), ("http2", 8), ("json", 3), ("multivariant", 3), ("pods", 4), ("playlists", 3),
    ]

    /// A run of three viewers has some 60 MB; what is kept of playlists of megabytes comes on top.
    private static let memoryOfFew = 768 << 20
    private static let memoryOfThousand = 1_000_000_000

    @Test func thereAreNearlyFourHundredLiesOfThirteenKinds() async throws {
        let lies = try await HostileServer.serving(\.lies)
        #expect(lies.count >= 380)
        #expect(Set(lies.map(\.name)).count == lies.count)
        #expect(lies.allSatisfy { !$0.does.isEmpty })
        #expect(Set(lies.map(\.group)) == Set(Self.groups.map(\.name)))
        let kinds: Set = [
            "registration", "multivariant", "playlist", "pod_manifest", "asset_list", "metadata", "steering",
            "pod_segment", "verification",
        ]
        #expect(Set(lies.map(\.kind)) == kinds)
    }

    @Test(arguments: groups.indices)
    func eachLieComesToWhatIsRight(group: Int) async throws {
        let (name, atOnce) = Self.groups[group]
        try await HostileServer.serving { server in
            let outcomes = try await Self.tell(server.lies.filter { $0.group == name }, atOnce: atOnce) {
                try await Self.outcome(of: $0, from: server)
            }
            // Runs beside each other take each other's time, and so do players of other tests: what still is wrong for a run
            // alone, and for another one, is wrong.
            for outcome in outcomes where !outcome.complaints.isEmpty {
                #expect(!outcome.isLasting, "\(outcome.lie.name): \(outcome.complaints)")
                let alone = try await Patience.agreeing {
                    try await Self.outcome(of: outcome.lie, from: server)
                } on: {
                    $0.isLasting || $0.complaints.isEmpty
                }
                #expect(alone.complaints == [], "\(alone.lie.name): \(alone.lie.does)")
            }
            Self.tell(outcomes, of: name)
        }
    }

    private static func outcome(of lie: Lie, from server: HostileServer) async throws -> HostileServer.Outcome {
        var outcome = try await answered(lie, by: server)
        outcome.complaints = outcome.complaints(patience: HostileServer.Audience.few.patience, memory: memoryOfFew)
        return outcome
    }

    /// A server in Python that is busy with what it tells others is taken for none before a run begins: it is asked until it
    /// has time.
    private static func answered(_ lie: Lie, by server: HostileServer) async throws -> HostileServer.Outcome {
        for _ in 0..<20 {
            do { return try await server.tell(lie) } catch is Rehearsal.NoResult { continue }
        }
        return try await server.tell(lie)
    }

    /// One server for each, because a server in Python is busy for a while with what a thousand viewers wanted.
    @Test func aThousandViewersStayBelowAGigabyte() async throws {
        let lies = try await HostileServer.serving(\.lies).filter(\.crowd)
        #expect(lies.count >= 12)
        var outcomes: [HostileServer.Outcome] = []
        for lie in lies {
            let outcome = try await Patience.agreeing {
                try await Self.crowd(lie)
            } on: {
                $0.isLasting || $0.complaints.isEmpty
            }
            #expect(outcome.complaints == [], "\(lie.name): \(lie.does)")
            outcomes.append(outcome)
        }
        Self.tell(outcomes, of: "a thousand viewers")
    }

    private static func crowd(_ lie: Lie) async throws -> HostileServer.Outcome {
        try await HostileServer.serving { server in
            var outcome = try await server.tell(lie, to: .thousand)
            outcome.complaints = outcome.complaints(
                patience: HostileServer.Audience.thousand.patience,
                memory: memoryOfThousand,
                judgesAnswers: false
            )
            return outcome
        }
    }

    /// Some runs at the same time, in order of the lies.
    private static func tell(
        _ lies: [Lie],
        atOnce: Int,
        _ run: @escaping @Sendable (Lie) async throws -> HostileServer.Outcome
    ) async throws -> [HostileServer.Outcome] {
        try await withThrowingTaskGroup(of: (Int, HostileServer.Outcome).self) { group in
            var outcomes: [Int: HostileServer.Outcome] = [:]
            for (index, lie) in lies.enumerated() {
                if index >= atOnce, let (done, outcome) = try await group.next() { outcomes[done] = outcome }
                group.addTask { (index, try await run(lie)) }
            }
            while let (done, outcome) = try await group.next() { outcomes[done] = outcome }
            return lies.indices.compactMap { outcomes[$0] }
        }
    }

    /// The figures that the page on these tests shows.
    private static func tell(_ outcomes: [HostileServer.Outcome], of name: String) {
        guard let largest = outcomes.max(by: { $0.peakBytes < $1.peakBytes }),
            let latest = outcomes.max(by: { $0.overtime < $1.overtime })
        else { return }
        print(
            "\(name): \(outcomes.count) lies, \(largest.peakBytes / 1_000_000) MB at most (\(largest.lie.name)), "
                + "latest end \(latest.overtime / .milliseconds(1)) ms after the plan (\(latest.lie.name))"
        )
    }
}
