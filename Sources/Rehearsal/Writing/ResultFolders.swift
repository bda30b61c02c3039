package import Foundation
package import Results

extension ResultStore {
    /// Folder of results to which the result of a journal in `folder` belongs.
    package static func folder(of document: ResultDocument, beside folder: URL) -> URL {
        let above = folder.deletingLastPathComponent()
        let usual = ResultStore(folder: above).profileFolder(document.run.profile)
        return usual.lastPathComponent == folder.lastPathComponent ? above : folder
    }
}

struct ResultFolders {
    /// New folders, the innermost first.
    private let made: [URL]

    /// Throws `CommandFailure` where a result could not be written there.
    init(of profile: String, in store: ResultStore) throws(CommandFailure) {
        let innermost = store.profileFolder(profile)
        var missing: [URL] = []
        var folder = innermost.standardizedFileURL
        while access(folder.path, F_OK) != 0, folder.pathComponents.count > 1 {
            missing.append(folder)
            folder.deleteLastPathComponent()
        }
        made = missing
        let option = "--results \(store.folder.relativePath)"
        guard (try? FileManager.default.createDirectory(at: innermost, withIntermediateDirectories: true)) != nil else {
            removeEmpty()
            throw CommandFailure(
                .badInput,
                "\(option): the folder \(innermost.path) cannot be made; "
                    + "start in a folder that you may write to, or name one with --results"
            )
        }
        // Tested by writing: a file system that is read-only or full of files reports that here and not to access(2).
        let probe = innermost.appending(path: ".podswarm-\(getpid()).probe").path
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            removeEmpty()
            throw CommandFailure(
                .badInput,
                "\(option): \(innermost.path): \(reason); name a folder that you may write to"
            )
        }
        close(descriptor)
        unlink(probe)
    }

    func removeEmpty() {
        for folder in made { _ = rmdir(folder.path) }
    }
}
