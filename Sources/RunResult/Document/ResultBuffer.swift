import Foundation
import Glibc

/// Room for one result after another: to be given memory anew for each takes longer than to read it.
package struct ResultBuffer: ~Copyable {
    /// Larger files are read into memory of their own.
    private static let length = 4 << 20

    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 64)

    /// Takes memory that is given back with it.
    package init() {}

    deinit { room.deallocate() }

    /// Reads a file as ``ResultFile`` does, and hands its bytes on; they are others by the next call.
    ///
    /// - Throws: As ``ResultFile``, and what the body throws.
    package mutating func withContents<Outcome>(
        of path: String,
        _ body: (UnsafeRawBufferPointer) throws -> Outcome
    ) throws -> Outcome {
        if let count = fill(from: path) { return try body(UnsafeRawBufferPointer(rebasing: room[..<count])) }
        return try ResultFile.contents(of: path).withUnsafeBytes(body)
    }

    /// Nil where a file is too large, or cannot be read for a reason that somebody else has words for.
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
