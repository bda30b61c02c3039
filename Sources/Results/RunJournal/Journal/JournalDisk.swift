import Glibc

/// File system calls that can fail, replaceable in tests.
package struct JournalDisk: Sendable {
    /// Returns the bytes written, or the negative errno.
    package var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    /// Returns 0 or errno.
    package var sync: @Sendable (Int32) -> Int32
    /// Returns 0 or errno.
    package var truncate: @Sendable (Int32, Int64) -> Int32

    package init(
        write: @escaping @Sendable (Int32, UnsafeRawBufferPointer) -> Int,
        sync: @escaping @Sendable (Int32) -> Int32,
        truncate: @escaping @Sendable (Int32, Int64) -> Int32
    ) {
        self.write = write
        self.sync = sync
        self.truncate = truncate
    }

    package static let ofThisMachine = JournalDisk(
        write: { descriptor, bytes in
            let written = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            return written < 0 ? -Int(errno) : written
        },
        sync: { fdatasync($0) == 0 ? 0 : errno },
        truncate: { ftruncate($0, off_t($1)) == 0 ? 0 : errno }
    )
}

package struct JournalError: Error, Equatable, CustomStringConvertible, Sendable {
    package let operation: String
    package let path: String
    package let code: Int32

    package var description: String { "cannot \(operation) \(path): \(String(cString: strerror(code)))" }
}
