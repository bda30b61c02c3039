import Foundation
import Glibc

/// Buffer reused for reading results: a new allocation for each takes longer than reading it.
package struct ResultBuffer: ~Copyable {
    /// Larger files are read into a separate allocation.
    private static let length = 4 << 20

    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 64)

    package init() {}

    deinit { room.deallocate() }

    /// Reads a file as ``ResultFile`` does; the bytes are valid only during `body`.
    ///
    /// - Throws: As ``ResultFile``, and what the body throws.
    package mutating func withContents<Outcome>(
        of path: String,
        _ body: (UnsafeRawBufferPointer) throws -> Outcome
    ) throws -> Outcome {
        if let count = fill(from: path) { return try body(UnsafeRawBufferPointer(rebasing: room[..<count])) }
        return try ResultFile.contents(of: path).withUnsafeBytes(body)
    }

    /// Nil if the file is too large, or unreadable: ``ResultFile`` then reports the error.
    private func fill(from path: String) -> Int? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let start = room.baseAddress else { return nil }
        defer { close(descriptor) }
        var count = 0
        while count < room.count {
            let more = read(descriptor, start + count, room.count - count)
            guard more > 0 else { return more == 0 ? count : nil }
            count += more
        }
        return nil
    }
}
