import Recording

/// Sessions that were given to viewers of more than one shard, which no shard could know of.
struct SharedSessions: Sendable {
    /// A session that a viewer was given although another shard's viewer had it.
    struct Case: Equatable {
        let viewer: Int
        let shard: Int
        /// Who had it already: of all its viewers the one with the smallest number, because viewers join in that order.
        let first: (viewer: Int, shard: Int)

        static func == (lhs: Case, rhs: Case) -> Bool {
            lhs.viewer == rhs.viewer && lhs.shard == rhs.shard && lhs.first == rhs.first
        }
    }

    private struct Entry {
        let digest: UInt64
        let viewer: Int32
        let shard: Int32
    }

    private var entries: [Entry] = []
    /// Sessions with greater digests are not known of every shard.
    private var reach = UInt64.max
    private var given: UInt64 = 0

    /// Adds what one shard says.
    mutating func add(_ sample: SessionSample, shard: Int) {
        reach = min(reach, sample.reach)
        given &+= UInt64(clamping: sample.given)
        entries += sample.kept.map {
            Entry(digest: $0.digest, viewer: max(0, $0.viewer), shard: Int32(clamping: shard))
        }
    }

    /// Each viewer that was given a session of another shard's viewer, as one process finds it when it is given.
    ///
    /// - Returns: In the order of viewers.
    func cases() -> [Case] {
        let sorted = entries.filter { $0.digest <= reach }.sorted { ($0.digest, $0.viewer) < ($1.digest, $1.viewer) }
        var cases: [Case] = []
        var first: Entry?
        for entry in sorted {
            if let first, first.digest == entry.digest {
                guard first.shard != entry.shard else { continue }
                cases.append(
                    Case(
                        viewer: Int(entry.viewer),
                        shard: Int(entry.shard),
                        first: (Int(first.viewer), Int(first.shard))
                    )
                )
            } else {
                first = entry
            }
        }
        return cases.sorted { ($0.viewer, $0.shard) < ($1.viewer, $1.shard) }
    }

    /// What a reader should know of sessions that were not held against each other; nil where all were.
    var note: String? {
        guard reach < .max else { return nil }
        let held = entries.count { $0.digest <= reach }
        return "\(held) of \(given) sessions of all shards were held against each other; there was no room for more."
    }
}
