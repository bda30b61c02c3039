import AdServing
import Values

/// Sessions of viewers of more than one shard, which no shard can see.
struct SharedSessions: Sendable {
    struct Owner: CustomStringConvertible {
        let digest: UInt64
        let viewer: Int32
        let shard: Int32

        var description: String { "viewer \(viewer) of shard \(shard)" }
    }

    /// Answer with a session of another shard's viewer.
    typealias Leak = (kind: String, key: StraySightings.Key, entry: StraySightings.Entry, owner: Owner)

    private var entries: [Owner] = []
    private var strays: [String: StraySightings] = [:]
    /// Largest digest that every shard kept.
    private var reach = UInt64.max
    private var given: UInt64 = 0

    mutating func add(_ knowledge: SessionKnowledge, shard: Int) {
        let sample = knowledge.given
        reach = min(reach, sample.reach)
        given &+= UInt64(clamping: sample.given)
        entries += sample.kept.map {
            Owner(digest: $0.digest, viewer: max(0, $0.viewer), shard: Int32(clamping: shard))
        }
        for (kind, part) in knowledge.strays {
            strays[kind, default: StraySightings(room: StraySightings.roomOfMerge)].add(part)
        }
    }

    /// Required by the searches.
    mutating func sort() { entries.sort { ($0.digest, $0.viewer) < ($1.digest, $1.viewer) } }

    /// Owners of a session that another shard's viewer had first: viewers join in the order of their numbers.
    func cases() -> [(owner: Owner, first: Owner)] {
        var cases: [(owner: Owner, first: Owner)] = []
        var first: Owner?
        for entry in entries.prefix(while: { $0.digest <= reach }) {
            if let first, first.digest == entry.digest {
                guard first.shard != entry.shard else { continue }
                cases.append((entry, first))
            } else {
                first = entry
            }
        }
        return cases.sorted { ($0.owner.viewer, $0.owner.shard) < ($1.owner.viewer, $1.owner.shard) }
    }

    func leaks() -> [Leak] {
        strays.flatMap { kind, part in part.known(owner).map { (kind, $0.key, $0.entry, $0.owner) } }
    }

    private func owner(of digest: UInt64) -> Owner? {
        let place = entries.partitioningIndex { $0.digest >= digest }
        guard place < entries.count, entries[place].digest == digest else { return nil }
        return entries[place]
    }

    var notes: [String] {
        var notes: [String] = []
        if reach < .max {
            let held = entries.count { $0.digest <= reach }
            notes.append("\(held) of \(given) sessions of all shards were compared; there was no memory for more.")
        }
        for (kind, part) in strays.sorted(by: { $0.key < $1.key }) where part.reach < .max {
            notes.append(
                "Only one in \(UInt64.max / max(part.reach, 1)) possible sessions of other shards' viewers in answers of kind "
                    + "\(kind) was compared with these; there was no memory for more."
            )
        }
        return notes
    }
}
