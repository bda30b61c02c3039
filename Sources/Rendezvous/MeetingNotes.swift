package import Time

/// How far the shards of a run have come in their meeting, for who only looks on.
package struct MeetingNotes: Equatable, Sendable {
    /// As the first shard says, by whose count all begin; before it has come as any does, and nil before the first of those.
    package let count: Int?
    /// Indices of those that have come.
    package let present: [Int]
    /// What they agreed on; nil before.
    package let start: WallTime?
    /// Shards that were not ready, for whose sake nobody begins; empty where all begin, and nil before it is decided.
    package let missing: [Int]?
    /// How long it is until the start, by the place's clock; zero before all have agreed on one, and after it.
    package let untilStart: Duration

    /// Reads what lies where the shards meet.
    ///
    /// - Parameter place: Where.
    /// - Throws: `RendezvousError` where it does not answer.
    package init(in place: any RendezvousPlace) async throws(RendezvousError) {
        let contents = try await place.contents(of: ShardNote.group)
        let hellos = contents.compactMap { name, content in
            name.hasPrefix(ShardNote.helloPrefix) ? ShardNote.read(ShardHello.self, content) : nil
        }
        // What none of ours has put there may say anything.
        let first = ShardNote.read(ShardHello.self, contents[ShardNote.hello(0)]).map(\.count)
        count =
            first.flatMap { ShardPlace.isCount($0) ? $0 : nil }
            ?? hellos.map(\.count).filter(ShardPlace.isCount).max()
        present = hellos.map(\.index).sorted()
        let agreed = ShardNote.read(ShardStart.self, contents[ShardNote.start])
            .map { WallTime(microseconds: $0.startMicroseconds) }
        start = agreed
        let now = agreed == nil ? nil : try await place.time().wall
        untilStart = agreed.flatMap { start in now.map { max(start.duration(since: $0), .zero) } } ?? .zero
        missing = ShardNote.read(ShardDecision.self, contents[ShardNote.decision])?.missing
    }
}
