import Foundation
import Glibc

/// A file that leads nowhere else: whoever may write into a folder of results shall not choose what else is served.
enum RegularFile {
    /// No page of a run is larger.
    private static let mostBytes = 64 << 20

    /// Nil for a link, for what is no file, and for one that is too large.
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
