package import Foundation
package import Values

package struct ShardHello: PlacedNote {
    package var index: Int
    package var count: Int
    /// Shards of two plans are not one audience.
    package var profileDigest: String
    package var podswarmVersion = PodswarmVersion.current
    package var host = ProcessInfo.processInfo.hostName
    package var process = ProcessInfo.processInfo.processIdentifier
    /// Distinguishes, for example, a container and its replacement.
    package var instance = UUID().uuidString
}

struct ShardStart: PlacedNote {
    /// Since the Unix epoch.
    var startMicroseconds: Int64
}

/// Put once, by the first shard that can decide, and obeyed by all.
struct ShardDecision: PlacedNote {
    /// Shards that were not ready in time; if empty, all begin.
    var missing: [Int]
}

enum ShardNote {
    static let group = "notes"
    static let start = "start"
    static let decision = "start-decision"

    static let helloPrefix = "hello-"
    /// Sorts after every hello: a shard that waits for the start skips the hellos of a thousand shards.
    static let beforeStart = "hello-z"

    static func hello(_ index: Int) -> String { "\(helloPrefix)\(index)" }
    static func armed(_ index: Int) -> String { "armed-\(index)" }
}

extension ShardHello {
    package init(_ mark: ShardMark, profileDigest: String) {
        (index, count, self.profileDigest) = (mark.index, mark.count, profileDigest)
    }
}

/// JSON with sorted keys in snake case.
package protocol PlacedNote: Codable, Equatable, Sendable {}

extension PlacedNote {
    /// Equal notes are equal data.
    package func placed() throws(RendezvousError) -> Data {
        do {
            return try DocumentEncoding(.sortedKeys).encode(self)
        } catch {
            throw RendezvousError("a note cannot be written: \(error)")
        }
    }

    /// nil for data that podswarm did not write.
    package init?(placed data: Data?) {
        guard let data, let note = try? DocumentDecoding().decode(Self.self, from: data) else { return nil }
        self = note
    }
}

/// Progress of a meeting, for an observer.
package struct MeetingNotes: Equatable, Sendable {
    /// As told by the first shard; before it joins, the largest number of any; nil before any joins.
    package let count: Int?
    package let hellos: [ShardHello]
    /// nil before the agreement.
    package let start: WallTime?
    /// Stops the run unless empty; nil before the decision.
    package let missing: [Int]?

    package init(in place: any RendezvousPlace) async throws(RendezvousError) {
        let contents = try await place.contents(of: ShardNote.group)
        // A foreign program may have put anything at the place.
        hellos = contents.filter { $0.key.hasPrefix(ShardNote.helloPrefix) }
            .compactMap { ShardHello(placed: $0.value) }.filter { ShardMark.isCount($0.count) }
        count = (hellos.first { $0.index == 0 } ?? hellos.max { $0.count < $1.count })?.count
        start = ShardStart(placed: contents[ShardNote.start]).map { WallTime(microseconds: $0.startMicroseconds) }
        missing = ShardDecision(placed: contents[ShardNote.decision])?.missing
    }

    /// Zero after the start and before one is agreed.
    package func untilStart(in place: any RendezvousPlace) async throws(RendezvousError) -> Duration {
        guard let start else { return .zero }
        return max(start.duration(since: try await place.time().wall), .zero)
    }
}

extension ShardMark {
    static func isCount(_ number: Int) -> Bool { (1...10_000).contains(number) }

    /// Variables for index and count: Slurm's `srun`, Kubernetes' Indexed Job (whose manifest must set the count, because
    /// containers are not told it), PMI and Open MPI.
    private static let schedulers = [
        ("SLURM_PROCID", "SLURM_NTASKS"), ("JOB_COMPLETION_INDEX", "PODSWARM_SHARDS"), ("PMI_RANK", "PMI_SIZE"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ]

    /// Index and count of this process; takes missing parts from the scheduler: `0/4`, `/4` or `0/`; nil takes both.
    package static func place(
        _ text: String?,
        environment: [String: String]
    ) throws(RendezvousError) -> (index: Int, count: Int) {
        let malformed = "--shard \(text ?? ""): it is i/n with i from 0 and below n, such as 0/4"
        let parts = (text ?? "/").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw RendezvousError(malformed) }
        let scheduler = schedulers.first { environment[$0.0] != nil }
        let index = parts[0].isEmpty ? scheduler.flatMap { environment[$0.0] } : parts[0]
        let count = parts[1].isEmpty ? scheduler.flatMap { environment[$0.1] } : parts[1]
        guard let index, let count else {
            throw RendezvousError(index == nil ? noIndex : noCount(of: parts[0], scheduler))
        }
        guard let number = Int(index), let total = Int(count), isCount(total),
            (0..<total).contains(number)
        else {
            guard let scheduler, parts.contains("") else { throw RendezvousError(malformed) }
            let names = zip([scheduler.0, scheduler.1], parts).filter { $1.isEmpty }.map(\.0)
            throw RendezvousError(
                "shard \(index) of \(count) is invalid: that is what "
                    + names.map { "\($0)=\(environment[$0] ?? "")" }.joined(separator: " and ")
                    + (text.map { " with --shard \($0) says" } ?? " say")
            )
        }
        return (number, total)
    }

    private static let noIndex = "--rendezvous: no scheduler says which shard this is; name it, such as --shard 0/4"

    private static func noCount(of index: String, _ scheduler: (String, String)?) -> String {
        let variable = scheduler.map { ", or with \($0.1)" } ?? ""
        return "--rendezvous: the number of shards is missing; give it, such as --shard \(index)/4\(variable)"
    }
}
