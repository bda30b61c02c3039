package import Foundation
import Rules
import Values

/// Selects the journals of the shards of one run before any of them is read completely.
package struct ShardJournals: Sendable {
    /// Journal in files or already read; `isNamed` if the user chose it.
    package struct Source: Sendable {
        /// Newest first.
        package var files: [URL] = []
        package var isNamed = true
        fileprivate var run: RecoveredRun?

        package init(files: [URL], isNamed: Bool = true) { (self.files, self.isNamed) = (files, isNamed) }

        init(_ run: RecoveredRun) { self.run = run }

        fileprivate var name: String { files.first?.relativePath ?? "a shard that was followed" }
    }

    struct Shard: Sendable {
        var mark: ShardMark
        /// As it began, if there are files.
        var run: RecoveredRun
        var files: [URL]

        var settings: CollectorSettings { run.checkpoint.settings }
        var name: String { files.first?.relativePath ?? "shard \(mark.index)" }
    }

    package let runID: String
    package let count: Int
    /// Sorted by index, each once.
    let shards: [Shard]
    package let notes: [String]

    /// Reads only first records; nil takes run id or number of shards from them.
    package init(among sources: [Source], runID: String? = nil, expected: Int? = nil) throws(Problems) {
        var (found, problems, notes): ([Shard], [String], [String]) = ([], [], [])
        for source in Self.distinct(sources) {
            do throws(JournalReadingError) {
                guard let shard = try Self.shard(source) else {
                    if source.isNamed { problems.append("\(source.name): its run was not a shard: leave it out") }
                    continue
                }
                found.append(shard)
            } catch {
                let words = "\(source.name): \(error)"
                if source.isNamed { problems.append(words) } else { notes.append("\(words); it is left aside.") }
            }
        }
        if let runID {
            let others = found.filter { $0.mark.runID != runID }
            if !others.isEmpty {
                notes.append("Left aside: \(GroupedDigits.counted(others.count, "journal")) of other runs.")
            }
            found.removeAll { $0.mark.runID != runID }
        }
        if found.isEmpty, problems.isEmpty {
            let which = runID.map { " of run '\($0)'" } ?? ""
            problems.append("no journal of a shard\(which) is there: name the files, or the folder of results")
            problems += notes
        }
        problems += ShardAgreement.problems(of: found, expected: expected)
        guard problems.isEmpty, let first = found.first else { throw Problems(problems) }
        self.runID = first.mark.runID
        count = first.mark.count
        shards = found.sorted { $0.mark.index < $1.mark.index }
        self.notes = notes
    }

    /// Removes files named twice, under any path.
    private static func distinct(_ sources: [Source]) -> [Source] {
        var seen: Set<String> = []
        return sources.filter { source in
            guard let file = source.files.first else { return source.run != nil }
            return seen.insert(file.resolvingSymlinksInPath().standardizedFileURL.path).inserted
        }
    }

    private static func shard(_ source: Source) throws(JournalReadingError) -> Shard? {
        if let run = source.run {
            return run.checkpoint.settings.run.shard.map { Shard(mark: $0, run: run, files: []) }
        }
        var failure: JournalReadingError?
        for (place, file) in source.files.enumerated() {
            do throws(JournalReadingError) {
                let run = try RecoveredRun(beginningOf: file)
                guard let mark = run.checkpoint.settings.run.shard else { return nil }
                return Shard(mark: mark, run: run, files: Array(source.files[place...]))
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? .noJournal
    }
}

enum ShardAgreement {
    private typealias Shard = ShardJournals.Shard

    private static let aspects: [(name: String, value: @Sendable (Shard) -> String)] = [
        ("counts of shards", { "\($0.mark.count)" }),
        ("profile digests", { $0.settings.run.profileDigest }),
        ("seeds", { "\($0.settings.run.seed)" }),
        ("versions of podswarm", { $0.run.header.podswarmVersion }),
        (
            "starts",
            {
                let start = $0.settings.run.startedAtMicroseconds
                return "\(UTCText.iso8601(microseconds: start)) (\(start) us)"
            }
        ),
    ]

    static func problems(of shards: [ShardJournals.Shard], expected: Int?) -> [String] {
        let runs = Dictionary(grouping: shards, by: \.mark.runID).sorted { $0.key < $1.key }
        guard runs.count < 2 else {
            let listed = runs.prefix(8).map { "'\($0.key)' (\(named($0.value)))" }.joined(separator: ", ")
            return ["journals of \(runs.count) runs: \(listed): say which is meant with --run-id"]
        }
        let malformed = shards.map { ($0.name, $0.mark.index, $0.mark.count) }
            .filter { !ShardMark.isCount($2) || !(0..<$2).contains($1) }
        var problems = malformed.map { "\($0): shard \($1) of \($2) is invalid: leave it out" }
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
            problems.append(
                "--expect \(expected): the run had \(GroupedDigits.counted(count, "shard")), as its journals say"
            )
        }
        let open = shards.filter { $0.files.first.map(JournalLines.isBeingWritten) ?? false }
        return problems + open.map { "\($0.name): \(JournalReadingError.beingWritten): wait for its end" }
    }

    private static func named(_ shards: [ShardJournals.Shard]) -> String {
        let more = shards.count > 4 ? ", …" : ""
        return shards.prefix(4).map(\.name).joined(separator: ", ") + more
    }

    private static func judges(_ one: ShardJournals.Shard, alike other: ShardJournals.Shard) -> Bool {
        let (mine, theirs) = (one.settings, other.settings)
        return mine.thresholds == theirs.thresholds && mine.allowedFindings == theirs.allowedFindings
            && mine.windowMilliseconds == theirs.windowMilliseconds
            && mine.warmUpMilliseconds == theirs.warmUpMilliseconds && mine.personas == theirs.personas
            && mine.reportedNames == theirs.reportedNames
            && mine.announcementToleranceMicroseconds == theirs.announcementToleranceMicroseconds
    }
}
