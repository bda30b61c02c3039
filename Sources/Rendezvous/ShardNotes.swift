import Foundation

/// What a shard says when it comes.
package struct ShardHello: PlacedNote {
    package var index: Int
    package var count: Int
    /// Digest of the plan: shards of two plans are no audience.
    package var profileDigest: String
    package var podswarmVersion: String
    package var host: String
    package var process: Int32
    /// Tells two processes apart that have all else in common, such as a container and the one that was started in its place.
    package var instance: String
    /// The place's clock less the shard's when it came, and how far that may be wrong; nil where it was not measured.
    package var clockOffsetMicroseconds: Int64?
    package var clockBoundMicroseconds: Int64?

    package init(
        index: Int,
        count: Int,
        profileDigest: String,
        podswarmVersion: String,
        host: String,
        process: Int32,
        instance: String = UUID().uuidString,
        clockOffsetMicroseconds: Int64? = nil,
        clockBoundMicroseconds: Int64? = nil
    ) {
        self.index = index
        self.count = count
        self.profileDigest = profileDigest
        self.podswarmVersion = podswarmVersion
        self.host = host
        self.process = process
        self.instance = instance
        self.clockOffsetMicroseconds = clockOffsetMicroseconds
        self.clockBoundMicroseconds = clockBoundMicroseconds
    }
}

/// The instant that all shards begin at.
struct ShardStart: PlacedNote {
    /// Microseconds since the Unix epoch.
    var startMicroseconds: Int64
}

/// Whether the shards begin: put once, by whoever can tell first, and obeyed by all.
struct ShardDecision: PlacedNote {
    /// Shards that were not ready in time; empty: all begin.
    var missing: [Int]
}

/// What the notes of a meeting are called.
enum ShardNote {
    /// Where they lie.
    static let group = "notes"
    static let start = "start"
    static let decision = "start-decision"

    static let helloPrefix = "hello-"
    /// After it come the start and the decision alone.
    ///
    /// Who waits for these reads nothing of what a thousand shards say of themselves. Those notes come in any order, so that
    /// nothing less than all of them tells who is there.
    static let beforeStart = "hello-z"

    static func hello(_ index: Int) -> String { "\(helloPrefix)\(index)" }
    static func armed(_ index: Int) -> String { "armed-\(index)" }
}

extension ShardHello {
    /// The shards of a run that have come.
    ///
    /// - Parameters:
    ///   - count: Shards of the run.
    ///   - place: Where they meet.
    /// - Returns: Nothing where the place does not answer.
    package static func all(of count: Int, in place: any RendezvousPlace) async -> [ShardHello] {
        guard let contents = try? await place.contents(of: ShardNote.group) else { return [] }
        return (0..<count).compactMap { ShardHello(placed: contents[ShardNote.hello($0)]) }
    }
}
