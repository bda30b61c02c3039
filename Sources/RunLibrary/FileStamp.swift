import Glibc

/// What tells whether a file is still the one that was read.
struct FileStamp: Equatable, Codable, Sendable {
    var bytes: Int64
    var changedAtNanoseconds: Int64
    var inode: UInt64

    /// Nil where there is no file that could be read: links lead elsewhere, and pipes wait.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        bytes = Int64(status.st_size)
        changedAtNanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }
}
