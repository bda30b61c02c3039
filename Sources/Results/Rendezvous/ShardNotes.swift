package import Foundation
package import Values

/// Note of a shard that joins.
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
    /// Sorts after every hello and before `start` and `start-decision`.
    ///
    /// A shard that waits for these skips the hellos of a thousand shards; hellos arrive in any order.
    static let beforeStart = "hello-z"

    static func hello(_ index: Int) -> String { "\(helloPrefix)\(index)" }
    static func armed(_ index: Int) -> String { "armed-\(index)" }
}

extension ShardHello {
    package init(_ mark: ShardMark, profileDigest: String) {
        (index, count, self.profileDigest) = (mark.index, mark.count, profileDigest)
    }

    /// Empty if the place does not answer.
    package static func all(of count: Int, in place: any RendezvousPlace) async -> [ShardHello] {
        guard let contents = try? await place.contents(of: ShardNote.group) else { return [] }
        return (0..<count).compactMap { ShardHello(placed: contents[ShardNote.hello($0)]) }
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
    package let present: [Int]
    /// nil before the agreement.
    package let start: WallTime?
    /// Stops the run unless empty; nil before the decision.
    package let missing: [Int]?

    package init(in place: any RendezvousPlace) async throws(RendezvousError) {
        let contents = try await place.contents(of: ShardNote.group)
        let hellos = contents.compactMap { name, content in
            name.hasPrefix(ShardNote.helloPrefix) ? ShardHello(placed: content) : nil
        }
        // A foreign program may have put anything at the place.
        let first = ShardHello(placed: contents[ShardNote.hello(0)]).map(\.count)
        count =
            first.flatMap { ShardPlace.isCount($0) ? $0 : nil }
            ?? hellos.map(\.count).filter(ShardPlace.isCount).max()
        present = hellos.map(\.index).sorted()
        start = ShardStart(placed: contents[ShardNote.start]).map { WallTime(microseconds: $0.startMicroseconds) }
        missing = ShardDecision(placed: contents[ShardNote.decision])?.missing
    }

    /// Zero after the start and before one is agreed.
    package func untilStart(in place: any RendezvousPlace) async throws(RendezvousError) -> Duration {
        guard let start else { return .zero }
        return max(start.duration(since: try await place.time().wall), .zero)
    }
}

/// Index of a process among the shards of a run.
package struct ShardPlace: Equatable, Sendable {
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// From 0.
    package let index: Int
    package let count: Int

    static func isCount(_ number: Int) -> Bool { (1...10_000).contains(number) }

    /// Variables for index and count: Slurm's `srun`, Kubernetes' Indexed Job (whose manifest must set the count, because
    /// containers are not told it), PMI and Open MPI.
    private static let schedulers = [
        ("SLURM_PROCID", "SLURM_NTASKS"), ("JOB_COMPLETION_INDEX", "PODSWARM_SHARDS"), ("PMI_RANK", "PMI_SIZE"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ]

    /// Takes missing parts from the scheduler: `0/4`, `/4` or `0/`; nil takes both.
    package init(_ text: String?, environment: [String: String]) throws(Mistake) {
        let malformed = "--shard \(text ?? ""): it is i/n with i from 0 and below n, such as 0/4"
        let parts = (text ?? "/").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw Mistake(description: malformed) }
        let scheduler = Self.schedulers.first { environment[$0.0] != nil }
        let index = parts[0].isEmpty ? scheduler.flatMap { environment[$0.0] } : parts[0]
        let count = parts[1].isEmpty ? scheduler.flatMap { environment[$0.1] } : parts[1]
        guard let index, let count else {
            throw Mistake(description: index == nil ? Self.noIndex : Self.noCount(of: parts[0], scheduler))
        }
        guard let number = Int(index), let total = Int(count), Self.isCount(total),
            (0..<total).contains(number)
        else {
            guard let scheduler, parts.contains("") else { throw Mistake(description: malformed) }
            let names = zip([scheduler.0, scheduler.1], parts).filter { $1.isEmpty }.map(\.0)
            throw Mistake(
                description: "shard \(index) of \(count) is invalid: that is what "
                    + names.map { "\($0)=\(environment[$0] ?? "")" }.joined(separator: " and ")
                    + (text.map { " with --shard \($0) says" } ?? " say")
            )
        }
        (self.index, self.count) = (number, total)
    }

    private static let noIndex = "--rendezvous: no scheduler says which shard this is; name it, such as --shard 0/4"

    private static func noCount(of index: String, _ scheduler: (String, String)?) -> String {
        let variable = scheduler.map { ", or with \($0.1)" } ?? ""
        return "--rendezvous: the number of shards is missing; give it, such as --shard \(index)/4\(variable)"
    }
}
