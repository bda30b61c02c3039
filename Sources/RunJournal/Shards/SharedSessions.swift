import Recording

/// Sessions that concern viewers of more than one shard, which no shard could know of.
struct SharedSessions: Sendable {
    /// A viewer, and whose.
    struct Owner: Equatable, CustomStringConvertible {
        let viewer: Int
        let shard: Int

        var description: String { "viewer \(viewer) of shard \(shard)" }
    }

    /// A session that a viewer was given although another shard's viewer had it.
    struct Case: Equatable {
        let owner: Owner
        /// Who had it already: of all its viewers the one with the smallest number, because viewers join in that order.
        let first: Owner
    }

    /// Answers to viewers of one shard that carry a session of another's.
    struct Leak {
        let kind: String
        let known: StraySightings.Known<Owner>
    }

    private struct Entry {
        let digest: UInt64
        let viewer: Int32
        let shard: Int32

        var owner: Owner { Owner(viewer: Int(viewer), shard: Int(shard)) }
    }

    private var entries: [Entry] = []
    private var strays: [String: StraySightings] = [:]
    /// Sessions with greater digests are not known of every shard.
    private var reach = UInt64.max
    private var given: UInt64 = 0

    /// Adds what one shard says.
    mutating func add(_ knowledge: SessionKnowledge, shard: Int) {
        let sample = knowledge.given
        reach = min(reach, sample.reach)
        given &+= UInt64(clamping: sample.given)
        entries += sample.kept.map {
            Entry(digest: $0.digest, viewer: max(0, $0.viewer), shard: Int32(clamping: shard))
        }
        for (kind, part) in knowledge.strays {
            strays[kind, default: StraySightings(room: StraySightings.roomOfMerge)].add(part)
        }
    }

    /// The same with sessions in their order, without which nothing is found.
    func sorted() -> SharedSessions {
        var sorted = self
        sorted.entries.sort { ($0.digest, $0.viewer) < ($1.digest, $1.viewer) }
        return sorted
    }

    /// Each viewer that was given a session of another shard's viewer, as one process finds it when it is given.
    ///
    /// - Returns: In the order of viewers.
    func cases() -> [Case] {
        var cases: [Case] = []
        var first: Entry?
        for entry in entries.prefix(while: { $0.digest <= reach }) {
            if let first, first.digest == entry.digest {
                guard first.shard != entry.shard else { continue }
                cases.append(Case(owner: entry.owner, first: first.owner))
            } else {
                first = entry
            }
        }
        return cases.sorted { ($0.owner.viewer, $0.owner.shard) < ($1.owner.viewer, $1.owner.shard) }
    }

    /// Answers that carry a session of another shard's viewer, as one process finds them when they come.
    func leaks() -> [Leak] {
        strays.flatMap { kind, part in part.known(owner).map { Leak(kind: kind, known: $0) } }
    }

    /// The viewer with the smallest number that was given a session.
    private func owner(of digest: UInt64) -> Owner? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].digest < digest { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].digest == digest else { return nil }
        return entries[low].owner
    }

    /// What a reader should know of what was not held against each other.
    var notes: [String] {
        var notes: [String] = []
        if reach < .max {
            let held = entries.count { $0.digest <= reach }
            notes.append(
                "\(held) of \(given) sessions of all shards were held against each other; there was no room for more."
            )
        }
        for (kind, part) in strays.sorted(by: { $0.key < $1.key }) where part.reach < .max {
            notes.append(
                "Of what in answers of kind \(kind) may be sessions of other shards' viewers, one in "
                    + "\(UInt64.max / max(part.reach, 1)) was held against these; there was no room for more."
            )
        }
        return notes
    }
}
