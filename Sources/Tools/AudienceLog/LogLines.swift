import CZlib
import Glibc

/// Valid as long as it is held, unlike a pointer into a buffer that is read anew.
typealias LogBytes = ArraySlice<UInt8>

/// Lines of a file or of standard input, decompressed if they are packed with gzip.
final class LogLines {
    static let standardInput = "-"
    private static let longestLine = 1 << 20
    private static let pieceBytes = 1 << 18

    let name: String
    private let file: gzFile
    private var held: LogBytes = []
    /// Bytes of `held` known to have no line feed.
    private var searched = 0
    private var isAtEnd = false

    init(_ path: String) throws(AudienceLogError) {
        name = path == Self.standardInput ? "standard input" : path
        guard let file = path == Self.standardInput ? gzdopen(dup(STDIN_FILENO), "r") : gzopen(path, "re") else {
            throw .unreadable(name: name, reason: String(cString: strerror(errno)))
        }
        self.file = file
    }

    deinit { gzclose_r(file) }

    /// Compressed; decompressed for a pipe.
    var bytesRead: Int { gzoffset(file) >= 0 ? gzoffset(file) : gztell(file) }

    /// False for a truncated compressed file.
    var isWhole: Bool {
        var code: Int32 = 0
        gzerror(file, &code)
        return code != Z_BUF_ERROR
    }

    /// Without its end; of a line beyond the limit one byte that means nothing; nil at the end of the file.
    func next() throws(AudienceLogError) -> LogBytes? {
        var isCut = false
        while true {
            let feed = held.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n"))
            if let end = feed ?? (isAtEnd && !held.isEmpty ? held.endIndex : nil) {
                let line = held[..<end]
                (held, searched) = (held[end...].dropFirst(), 0)
                guard !isCut, line.count <= Self.longestLine else { return [0] }
                return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            }
            guard !isAtEnd else { return nil }
            if held.count > Self.longestLine { (held, isCut) = (held.prefix(1), true) }
            searched = held.count
            try fill()
        }
    }

    private func fill() throws(AudienceLogError) {
        var count: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, initialized in
            count = gzread(file, buffer.baseAddress, UInt32(buffer.count))
            initialized = Int(max(0, count))
        }
        guard count >= 0 else {
            var code: Int32 = 0
            gzerror(file, &code)
            let reason = code == Z_ERRNO ? String(cString: strerror(errno)) : "its compressed content is damaged"
            throw .unreadable(name: name, reason: reason)
        }
        held = held.isEmpty ? piece[...] : held + piece
        isAtEnd = count < Self.pieceBytes
    }
}

extension LogBytes {
    var text: String { String(decoding: self, as: UTF8.self) }

    var trimmed: LogBytes {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let rest = drop(while: isBlank)
        return rest.lastIndex { !isBlank($0) }.map { rest[...$0] } ?? []
    }

    /// End of the first place that holds a text.
    func end(of text: String) -> Int? {
        let first = text.utf8.first
        var rest = self
        while let start = rest.firstIndex(where: { $0 == first }) {
            rest = rest[start...]
            if rest.starts(with: text.utf8) { return start + text.utf8.count }
            rest = rest.dropFirst()
        }
        return nil
    }

    func parts(_ separator: Character, splits: Int = .max) -> [LogBytes] {
        separator.asciiValue.map { split(separator: $0, maxSplits: splits) } ?? [self]
    }
}
