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

    /// Reads what lies where the shards meet.
    ///
    /// - Parameter place: Where.
    /// - Throws: `RendezvousError` where it does not answer.
    package init(in place: any RendezvousPlace) async throws(RendezvousError) {
        let contents = try await place.contents(of: ShardNote.group)
        let hellos = contents.compactMap { name, content in
            name.hasPrefix(ShardNote.helloPrefix) ? ShardHello(placed: content) : nil
        }
        // What none of ours has put there may say anything.
        let first = ShardHello(placed: contents[ShardNote.hello(0)]).map(\.count)
        count =
            first.flatMap { ShardPlace.isCount($0) ? $0 : nil }
            ?? hellos.map(\.count).filter(ShardPlace.isCount).max()
        present = hellos.map(\.index).sorted()
        start = ShardStart(placed: contents[ShardNote.start])
            .map { WallTime(microseconds: $0.startMicroseconds) }
        missing = ShardDecision(placed: contents[ShardNote.decision])?.missing
    }

    /// How long it is until the start.
    ///
    /// - Parameter place: By whose clock.
    /// - Returns: Zero after it, and as long as nobody has agreed on one.
    /// - Throws: `RendezvousError` where the place does not answer.
    package func untilStart(in place: any RendezvousPlace) async throws(RendezvousError) -> Duration {
        guard let start else { return .zero }
        return max(start.duration(since: try await place.time().wall), .zero)
    }
}
