import ArgumentParser
import Comparison
import Foundation
import Rehearsal
import Report
import Results
import Values

struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration("recover")

    @Argument(help: "Journals, or folders of results.")
    var journals: [String]

    @Option(help: "Folder that results are written to; that of the journal if left out.")
    var results: String?

    @Flag(help: "Leave the journals where they are.")
    var keepJournal = false

    @Flag(help: "Print nothing but errors and the paths of the results.")
    var quiet = false

    func run() throws {
        let output = RunOutput(quiet: quiet)
        var failures: [CommandFailure] = []
        for path in journals {
            do throws(CommandFailure) {
                let meant = try runs(at: path, output: output)
                for run in meant.runs {
                    do throws(CommandFailure) {
                        try recover(run.files, isOfFolder: meant.areOfFolder, output: output)
                    } catch {
                        failures.append(error)
                    }
                }
            } catch {
                failures.append(error)
            }
        }
        guard let worst = failures.map(\.exit).max(by: { $0.gravity < $1.gravity }) else { return }
        throw CommandFailure(failures.map(\.message).joined(separator: "\n"), as: worst)
    }

    /// `areOfFolder` if `path` is a folder.
    private func runs(
        at path: String,
        output: RunOutput
    ) throws(CommandFailure) -> (runs: [JournalFolder.Run], areOfFolder: Bool) {
        guard let found = JournalFolder.found(at: path) else {
            throw CommandFailure("\(path): there is no such file or folder")
        }
        guard found.isFolder else { return (found.runs, false) }
        for note in found.notes { output.note(note) }
        for run in found.runs where run.isBeingWritten {
            output.note("\(run.files.first?.relativePath ?? path): its run is still going on.")
        }
        let orphans = found.runs.filter(\.isOrphan)
        if orphans.isEmpty { output.note("\(path): no run left a journal without a result here.") }
        return (orphans, true)
    }

    /// Uses the first file that gives a result; older files of the run hold nothing more.
    private func recover(_ files: [URL], isOfFolder: Bool, output: RunOutput) throws(CommandFailure) {
        var failure: CommandFailure?
        var holdNothing = isOfFolder
        for (place, file) in files.enumerated() {
            let run: RecoveredRun
            do throws(JournalReadingError) {
                run = try RecoveredRun(of: file)
            } catch {
                failure = failure ?? Self.failure(error, of: file)
                holdNothing = holdNothing && error.isOfBriefRun
                continue
            }
            try write(run, of: file, output: output)
            return remove(Array(files[place...]), after: run, output: output)
        }
        guard let failure else { return }
        // The user did not name this empty journal; later calls would report it again.
        guard holdNothing else { throw failure }
        output.note("\(failure.message)\(keepJournal ? "" : ", and is removed").")
        if !keepJournal { remove(files, output: output) }
    }

    private static func failure(_ error: JournalReadingError, of file: URL) -> CommandFailure {
        if case .empty = error { return CommandFailure("\(file.relativePath): \(error)", as: .notDecidable) }
        return CommandFailure("\(file.relativePath): \(error)")
    }

    private func write(_ run: RecoveredRun, of file: URL, output: RunOutput) throws(CommandFailure) {
        for complaint in run.complaints { output.note("\(file.relativePath): \(complaint).") }
        let document = run.document(drift: DriftJudge.verdicts)
        let folder =
            results.map { URL(fileURLWithPath: $0) }
            ?? ResultStore.folder(of: document, beside: file.deletingLastPathComponent())
        let store = ResultStore(folder: folder)
        try CommandFailure.telling("\(file.relativePath): its result could not be written: ", as: .notWritten) {
            let label = ResultStore.fileLabel(of: document.run.labels)
            let result = try store.write(document, label: label, journal: file)
            ResultPage.write(document.html, beside: result, output)
            output.summary(document, file: result)
        }
    }

    /// Keeps damaged journals and those of shards, which are merged later.
    private func remove(_ files: [URL], after run: RecoveredRun, output: RunOutput) {
        guard !keepJournal else { return }
        guard run.checkpoint.settings.run.shard == nil else {
            return output.note("\(files.first?.relativePath ?? "") is a shard's, and stays for podswarm merge.")
        }
        if case .damaged = run.ending {
            return output.note("\(files.first?.relativePath ?? "") is damaged and stays where it is.")
        }
        remove(files, output: output)
    }

    private func remove(_ files: [URL], output: RunOutput) {
        for file in files where unlink(file.path) != 0 {
            output.note("\(file.relativePath) cannot be removed: \(String(cString: strerror(errno))).")
        }
    }
}
