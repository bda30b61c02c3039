import CZlib
import Glibc

typealias LogBytes = ArraySlice<UInt8>

/// Lines of a file or of standard input, decompressed if they are packed with gzip.
final class LogLines {
    static let standardInput = "-"
    private static let longestLine = 1 << 20
    private static let pieceBytes: UInt32 = 1 << 18

    let name: String
    private let file: gzFile
    /// With room for a line feed, and for the null byte that zlib adds.
    private var buffer = [CChar](repeating: 0, count: longestLine + 2)

    init(_ path: String) throws(AudienceLogError) {
        name = path == Self.standardInput ? "standard input" : path
        guard let file = path == Self.standardInput ? gzdopen(dup(STDIN_FILENO), "r") : gzopen(path, "re") else {
            throw .unreadable(name: name, reason: String(cString: strerror(errno)))
        }
        self.file = file
        gzbuffer(file, Self.pieceBytes)
    }

    deinit { gzclose_r(file) }

    /// Compressed; decompressed for a pipe.
    var bytesRead: Int { gzoffset(file) >= 0 ? gzoffset(file) : gztell(file) }

    /// False for a truncated compressed file.
    var isWhole: Bool { errorCode != Z_BUF_ERROR }

    private var errorCode: Int32 {
        var code: Int32 = 0
        gzerror(file, &code)
        return code
    }

    /// Without its end; of a line beyond the limit one byte that means nothing; nil at the end of the file.
    func next() throws(AudienceLogError) -> LogBytes? {
        var isCut = false
        while true {
            let start = gztell(file)
            guard gzgets(file, &buffer, Int32(buffer.count)) != nil else {
                switch errorCode {
                case Z_OK, Z_BUF_ERROR: return isCut ? [0] : nil
                case Z_ERRNO: throw .unreadable(name: name, reason: String(cString: strerror(errno)))
                default: throw .unreadable(name: name, reason: "its compressed content is damaged")
                }
            }
            // A line may hold null bytes.
            let count = gztell(file) - start
            var line = buffer.withUnsafeBytes { Array($0[..<count])[...] }
            if line.last == UInt8(ascii: "\n") {
                line.removeLast()
            } else if count > Self.longestLine {
                isCut = true
                continue
            }
            guard !isCut else { return [0] }
            return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
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
