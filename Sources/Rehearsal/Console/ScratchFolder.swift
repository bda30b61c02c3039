import Foundation

/// Folder for files that live no longer than a command: TMPDIR, or /tmp.
package enum ScratchFolder {
    /// Checks before any other work that files can be created there; the error names the folder.
    package static func check() throws(CommandFailure) {
        let named = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
        let path = named ?? "/tmp"
        var status = stat()
        let reason: String
        if stat(path, &status) != 0 || access(path, W_OK | X_OK) != 0 {
            reason = String(cString: strerror(errno))
        } else {
            guard status.st_mode & S_IFMT != S_IFDIR else { return }
            reason = String(cString: strerror(ENOTDIR))
        }
        let option = named == nil ? path : "TMPDIR=\(path)"
        throw CommandFailure(
            .badInput,
            "\(option): \(reason); make that folder, or set TMPDIR to one that you may write to"
        )
    }
}
