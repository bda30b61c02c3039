import Foundation
import Glibc

/// Reads regular files only: a user who can write to a folder of results must not be able to publish other files.
enum RegularFile {
    /// Larger than any page of a run.
    private static let mostBytes = 64 << 20

    /// Nil for a link, for anything but a regular file, and for one that is too large.
    static func contents(of path: String) -> Data? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
            return nil
        }
        return try? handle.read(upToCount: mostBytes) ?? Data()
    }
}
