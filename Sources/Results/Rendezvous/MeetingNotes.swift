package import Values

/// Progress of the shards of a run in their meeting, for an observer.
package struct MeetingNotes: Equatable, Sendable {
    /// Number of shards by the first shard, which decides; before it joins, the largest number of any shard; nil before any
    /// joins.
    package let count: Int?
    package let present: [Int]
    /// Agreed start; nil before the agreement.
    package let start: WallTime?
    /// Shards that were not ready, which stops the run; empty if all begin, nil before the decision.
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
        start = ShardStart(placed: contents[ShardNote.start])
            .map { WallTime(microseconds: $0.startMicroseconds) }
        missing = ShardDecision(placed: contents[ShardNote.decision])?.missing
    }

    /// Time until the start by the place's clock; zero after the start and before one is agreed.
    package func untilStart(in place: any RendezvousPlace) async throws(RendezvousError) -> Duration {
        guard let start else { return .zero }
        return max(start.duration(since: try await place.time().wall), .zero)
    }
}
