package import Foundation
import RunResult

/// The journals of the shards of one run, chosen among what was named, before any of them is read as a whole.
package struct ShardJournals: Sendable {
    /// Files that may be one shard's, newest first, and whether a person named them.
    package struct Source: Sendable {
        package var files: [URL]
        package var isNamed: Bool

        package init(files: [URL], isNamed: Bool = true) {
            self.files = files
            self.isNamed = isNamed
        }
    }

    /// Why journals make no result together: every mistake, each with what to do.
    package struct Refusal: Error, Equatable, CustomStringConvertible, Sendable {
        package var problems: [String]

        package init(problems: [String]) {
            self.problems = problems
        }

        package var description: String { problems.joined(separator: "\n") }
    }

    struct Shard: Sendable {
        var mark: ShardMark
        var header: JournalHeader<CollectorSettings>
        var files: [URL]

        var name: String { files.first?.relativePath ?? "" }
    }

    package let runID: String
    /// How many shards the plan has.
    package let count: Int
    /// In the order of their indices, each once.
    let shards: [Shard]
    /// What was left aside, as sentences.
    package let notes: [String]

    /// Looks at the first record of each journal, and at nothing else.
    ///
    /// - Parameters:
    ///   - sources: What there is.
    ///   - runID: Of the run that is meant; nil where there is but one.
    ///   - expected: How many shards there should be; nil: as many as the journals say.
    /// - Throws: `Refusal`.
    package init(among sources: [Source], runID: String? = nil, expected: Int? = nil) throws(Refusal) {
        var (found, problems, notes): ([Shard], [String], [String]) = ([], [], [])
        for source in Self.distinct(sources) {
            do throws(JournalReadingError) {
                guard let shard = try Self.shard(source) else {
                    let name = source.files.first?.relativePath ?? ""
                    if source.isNamed { problems.append("\(name): its run was no shard: leave it out") }
                    continue
                }
                found.append(shard)
            } catch {
                let words = "\(source.files.first?.relativePath ?? ""): \(error)"
                if source.isNamed { problems.append(words) } else { notes.append("\(words); it is left aside.") }
            }
        }
        if let runID {
            let others = found.filter { $0.mark.runID != runID }
            if !others.isEmpty { notes.append("\(others.count) journals of other runs are left aside.") }
            found.removeAll { $0.mark.runID != runID }
        }
        if found.isEmpty, problems.isEmpty {
            let which = runID.map { " of run '\($0)'" } ?? ""
            problems.append("no journal of a shard\(which) is there: name the files, or the folder of results")
            problems += notes
        }
        problems += ShardAgreement.problems(of: found, expected: expected)
        guard problems.isEmpty, let first = found.first else { throw Refusal(problems: problems) }
        self.runID = first.mark.runID
        count = first.mark.count
        shards = found.sorted { $0.mark.index < $1.mark.index }
        self.notes = notes
    }

    /// Each file once, by whatever name it was named.
    private static func distinct(_ sources: [Source]) -> [Source] {
        var seen: Set<String> = []
        return sources.filter { source in
            guard let file = source.files.first else { return false }
            return seen.insert(file.resolvingSymlinksInPath().standardizedFileURL.path).inserted
        }
    }

    /// Nil where the run was its whole plan.
    private static func shard(_ source: Source) throws(JournalReadingError) -> Shard? {
        var failure: JournalReadingError?
        for (place, file) in source.files.enumerated() {
            do throws(JournalReadingError) {
                let header = try RecoveredRun.header(of: file)
                guard let mark = header.settings.run.shard else { return nil }
                return Shard(mark: mark, header: header, files: Array(source.files[place...]))
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? .noJournal
    }
}

extension ShardJournals.Source {
    /// What a path on a command line means: a journal, or the journals in a folder and in the folders in it.
    ///
    /// - Parameter path: As it was written.
    /// - Returns: Nil where there is no such file or folder.
    package static func all(at path: String) -> [ShardJournals.Source]? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        let url = URL(fileURLWithPath: path)
        guard isFolder.boolValue else { return [ShardJournals.Source(files: [url])] }
        return JournalFolder.withSubfolders(url).flatMap(JournalFolder.runs(in:)).map {
            ShardJournals.Source(files: $0.files, isNamed: false)
        }
    }
}
