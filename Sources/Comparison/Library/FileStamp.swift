import Glibc

/// Detects changes of a file without reading it.
struct FileStamp: Equatable, Sendable {
    var bytes: Int64
    var changedAtNanoseconds: Int64
    var inode: UInt64

    /// Nil without a regular file: links lead elsewhere, and pipes block.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        bytes = Int64(status.st_size)
        changedAtNanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }
}
