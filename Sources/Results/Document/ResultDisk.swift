import Foundation
import Glibc

/// File system calls that can fail, replaceable in tests.
package struct ResultDisk: Sendable {
    /// Returns the bytes written, or the negative errno.
    package var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    /// Returns 0 or errno.
    package var sync: @Sendable (Int32) -> Int32
    /// Returns 0 or errno.
    package var truncate: @Sendable (Int32, Int64) -> Int32

    package static let ofThisMachine = ResultDisk(
        write: { descriptor, bytes in
            let written = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            return written < 0 ? -Int(errno) : written
        },
        sync: { fdatasync($0) == 0 ? 0 : errno },
        truncate: { ftruncate($0, off_t($1)) == 0 ? 0 : errno }
    )
}

extension ResultDisk {
    /// Writes all bytes and syncs them; on an error a part may have been written.
    func writeSynced(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0) }
            if written == -Int(EINTR) { continue }
            guard written > 0 else {
                throw FileError(operation: "write", path: path, code: written < 0 ? Int32(clamping: -written) : EIO)
            }
            rest = rest.dropFirst(written)
        }
        let code = sync(descriptor)
        guard code == 0 else { throw FileError(operation: "sync", path: path, code: code) }
    }

    /// Gives a finished file its name, or that name with the first free number; returns the name.
    ///
    /// Links instead of renaming, because `link` refuses an existing name and `rename` replaces it.
    static func publish(_ temporary: URL, as wanted: URL) throws(FileError) -> URL {
        let folder = wanted.deletingLastPathComponent()
        let base = wanted.deletingPathExtension().lastPathComponent
        for number in 1...1_000 {
            let name = number == 1 ? wanted : folder.appending(path: "\(base)-\(number).\(wanted.pathExtension)")
            if link(temporary.path, name.path) == 0 {
                _ = unlink(temporary.path)
                syncFolder(of: name)
                return name
            }
            if errno == EEXIST || access(name.path, F_OK) == 0 { continue }
            // Some file systems have no hard links; a rename must do there.
            try rename(temporary, to: name)
            return name
        }
        throw FileError(operation: "find a free name for", path: wanted.path, code: EEXIST)
    }

    static func rename(_ file: URL, to name: URL) throws(FileError) {
        guard Glibc.rename(file.path, name.path) == 0 else {
            throw FileError(operation: "rename to", path: name.path, code: errno)
        }
        syncFolder(of: name)
    }

    /// Syncs the folder, so that a rename survives a loss of power.
    static func syncFolder(of file: URL) {
        let descriptor = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}

package struct FileError: Error, Equatable, CustomStringConvertible, Sendable {
    package let operation: String
    package let path: String
    package let code: Int32

    package var description: String { "cannot \(operation) \(path): \(String(cString: strerror(code)))" }
}
