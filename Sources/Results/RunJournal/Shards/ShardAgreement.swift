import Foundation
import Rules

enum ShardAgreement {
    /// Largest number of shards of a run; a greater one is a damaged mark.
    static let mostShards = 10_000

    private typealias Shard = ShardJournals.Shard

    private static let aspects: [(name: String, value: @Sendable (Shard) -> String)] = [
        ("counts of shards", { "\($0.mark.count)" }),
        ("profile digests", { $0.header.settings.run.profileDigest }),
        ("seeds", { "\($0.header.settings.run.seed)" }),
        ("versions of podswarm", { $0.header.podswarmVersion }),
        (
            "starts",
            {
                let start = $0.header.settings.run.startedAtMicroseconds
                return "\(UTCText.iso8601(microseconds: start)) (\(start) us)"
            }
        ),
    ]

    /// Every reason why these journals cannot be merged, each with a remedy.
    ///
    /// `expected` is the number of shards; nil takes it from the marks.
    static func problems(of shards: [ShardJournals.Shard], expected: Int?) -> [String] {
        let runs = Dictionary(grouping: shards, by: \.mark.runID).sorted { $0.key < $1.key }
        guard runs.count < 2 else {
            let listed = runs.prefix(8).map { "'\($0.key)' (\(named($0.value)))" }.joined(separator: ", ")
            return ["journals of \(runs.count) runs: \(listed): say which is meant with --run-id"]
        }
        var problems = shards.compactMap(malformed)
        for aspect in aspects {
            let groups = Dictionary(grouping: shards, by: aspect.value).sorted { $0.key < $1.key }
            guard groups.count > 1 else { continue }
            let listed = groups.prefix(8).map { "\($0.key) (\(named($0.value)))" }.joined(separator: ", ")
            problems.append("\(groups.count) different \(aspect.name): \(listed): merge only shards of one run")
        }
        if let first = shards.first, let odd = shards.first(where: { !judges(first, alike: $0) }) {
            problems.append(
                "\(first.name) and \(odd.name) are not judged alike, by thresholds, allowed findings, windows or warm-up: "
                    + "run all shards with the same options"
            )
        }
        for (index, twice) in Dictionary(grouping: shards, by: \.mark.index).sorted(by: { $0.key < $1.key })
        where twice.count > 1 {
            problems.append("shard \(index) is there \(twice.count) times: \(named(twice)): leave out all but one")
        }
        if let expected, let count = shards.first?.mark.count, count != expected {
            problems.append("--expect \(expected): the run had \(count) shards, as its journals say")
        }
        return problems + shards.compactMap(written)
    }

    private static func named(_ shards: [ShardJournals.Shard]) -> String {
        let more = shards.count > 4 ? ", …" : ""
        return shards.prefix(4).map(\.name).joined(separator: ", ") + more
    }

    private static func malformed(_ shard: ShardJournals.Shard) -> String? {
        guard (1...mostShards).contains(shard.mark.count), (0..<shard.mark.count).contains(shard.mark.index) else {
            return "\(shard.name): shard \(shard.mark.index) of \(shard.mark.count) is none: leave it out"
        }
        return nil
    }

    private static func judges(_ one: ShardJournals.Shard, alike other: ShardJournals.Shard) -> Bool {
        let (mine, theirs) = (one.header.settings, other.header.settings)
        return mine.thresholds == theirs.thresholds && mine.allowedFindings == theirs.allowedFindings
            && mine.windowMilliseconds == theirs.windowMilliseconds
            && mine.warmUpMilliseconds == theirs.warmUpMilliseconds && mine.personas == theirs.personas
            && mine.announcementToleranceMicroseconds == theirs.announcementToleranceMicroseconds
    }

    private static func written(_ shard: ShardJournals.Shard) -> String? {
        guard let file = shard.files.first else { return nil }
        do throws(JournalReadingError) {
            _ = try JournalLines.opened(file)
            return nil
        } catch {
            return error == .beingWritten ? "\(shard.name): \(error): wait for its end" : nil
        }
    }
}
