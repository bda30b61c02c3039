import CZlib
package import Foundation
import Glibc
import Values

/// One line of a journal, such as `5f0c2a91 I {"what":"one line of JSON"}` and a line feed.
///
/// CRC-32 in eight lower-case hexadecimal digits, one letter for the kind, JSON. The checksum covers everything after itself and
/// continues the previous record's, so that a record of another place or journal is not accepted.
package struct JournalRecord: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// First record of every file.
        case header = 0x48
        /// The whole state so far; second record of every file, and first after a gap.
        case checkpoint = 0x43
        case interval = 0x49
    }

    package var kind: Kind
    package var payload: Data

    /// Bytes besides the payload.
    static let frameLength = 12
    private static let digits = 8

    /// `checksum` is that of the previous record, or 0, and becomes that of this one.
    package func line(continuing checksum: inout UInt32) -> [UInt8] {
        let covered = [kind.rawValue, 0x20] + payload + [0x0a]
        checksum = Self.checksum(of: covered[...], after: checksum)
        return Self.head(checksum) + covered
    }

    /// Whether more bytes could make a record of these.
    static func mayBegin(with bytes: ArraySlice<UInt8>) -> Bool {
        bytes.prefix(digits).allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private static func head(_ checksum: UInt32) -> [UInt8] { Array("\(checksum.hexadecimal(digits: digits)) ".utf8) }

    private static func checksum(of bytes: ArraySlice<UInt8>, after previous: UInt32) -> UInt32 {
        bytes.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            return UInt32(truncatingIfNeeded: crc32_z(uLong(previous), start, bytes.count))
        }
    }
}

extension JournalRecord {
    /// nil unless the line, with its line feed, is what `line(continuing:)` returns.
    init?(_ line: ArraySlice<UInt8>, continuing checksum: inout UInt32) {
        let covered = line.dropFirst(Self.digits + 1)
        let expected = Self.checksum(of: covered, after: checksum)
        guard covered.count > 2, line.starts(with: Self.head(expected)), covered.dropFirst().first == 0x20,
            let kind = covered.first.flatMap(Kind.init)
        else { return nil }
        checksum = expected
        (self.kind, payload) = (kind, Data(covered.dropFirst(2).dropLast()))
    }

    init(_ kind: Kind, _ value: some Encodable) throws {
        self.init(kind: kind, payload: try DocumentEncoding.journal.encode(value))
    }

    func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        if let excess = payload.withUnsafeBytes({ JSONLimits.record.excess(of: $0) }) { throw excess }
        return try DocumentDecoding.journal.decode(type, from: payload)
    }
}

package struct JournalHeader: Codable, Sendable {
    package static let schemaName = "podswarm.journal"
    /// Raised when data of earlier versions can no longer be folded.
    package static let currentVersion = 6

    package var schema = schemaName
    package var schemaVersion = currentVersion
    package var podswarmVersion = PodswarmVersion.current
}

/// Reads any bytes up to the first record that is not whole; the longest line there limits the memory.
package struct JournalLines: ~Copyable {
    package enum Ending: Equatable, CustomStringConvertible, Sendable {
        case complete
        /// The file ends within a record, as after a crash during a write.
        case torn
        /// The next bytes are not the record that was written.
        case damaged(String)

        package var description: String {
            switch self {
            case .complete: "the journal is whole"
            case .torn: "the journal ends within a record"
            case .damaged(let what): "the journal is damaged: \(what)"
            }
        }
    }

    /// Up to the end of the last whole record.
    package private(set) var wholeBytes: Int64 = 0
    /// Length of the file when it was opened, or of the pieces.
    package private(set) var bytes: Int64 = 0
    package private(set) var ending: Ending?
    private let descriptor: Int32?
    private var checksum: UInt32 = 0
    private var buffer: [UInt8] = []
    /// Start of the next line in the buffer, and end of the part without a line feed.
    private var (next, searched) = (0, 0)

    private static let stride = 1 << 20
    /// A longer line is damage.
    private static let longestLine = 1 << 30

    /// For a journal that comes in pieces.
    init() { descriptor = nil }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Data already written does not change during a run (`evenIfBeingWritten`).
    package static func opened(
        _ url: URL,
        evenIfBeingWritten: Bool = false
    ) throws(JournalReadingError) -> JournalLines {
        // A pipe would otherwise block until it is opened for writing.
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .file(FileError(operation: "read", path: url.path, code: errno)) }
        var lines = JournalLines(descriptor: descriptor)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        lines.bytes = Int64(facts.st_size)
        if !evenIfBeingWritten, flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .beingWritten }
        return lines
    }

    static func isBeingWritten(_ url: URL) -> Bool {
        do throws(JournalReadingError) {
            _ = try opened(url)
            return false
        } catch {
            return error == .beingWritten
        }
    }

    deinit { if let descriptor { _ = close(descriptor) } }

    /// Goes on with a piece, except in a damaged journal.
    mutating func append(_ piece: Data) {
        bytes += Int64(piece.count)
        buffer.append(contentsOf: piece)
        if ending == .complete || ending == .torn { ending = nil }
    }

    /// After nil, `ending` has the reason.
    package mutating func nextRecord() -> JournalRecord? {
        while ending == nil {
            guard let lineFeed = buffer[searched...].firstIndex(of: 0x0a) else {
                searched = buffer.count
                ending = fill()
                continue
            }
            guard let record = JournalRecord(buffer[next...lineFeed], continuing: &checksum) else {
                ending = .damaged("bytes that are not the next record")
                break
            }
            wholeBytes += Int64(lineFeed + 1 - next)
            (next, searched) = (lineFeed + 1, lineFeed + 1)
            return record
        }
        return nil
    }

    /// JSON of the line that is not the next record: of the first one, another version's header.
    var refused: Data { Data(buffer[next...].prefix { $0 != 0x0a }.drop { $0 != UInt8(ascii: "{") }) }

    /// Their payloads are meaningless; the records are the last that were read.
    package mutating func refuse(_ records: some Sequence<JournalRecord>, because reason: String) {
        for record in records { wholeBytes -= Int64(JournalRecord.frameLength + record.payload.count) }
        ending = .damaged(reason)
    }

    /// Returns the ending if no bytes are left.
    private mutating func fill() -> Ending? {
        buffer.removeFirst(next)
        (next, searched) = (0, buffer.count)
        guard buffer.count < Self.longestLine else { return .damaged("a line of \(buffer.count) bytes") }
        var part = [UInt8](repeating: 0, count: descriptor == nil ? 0 : Self.stride)
        var got = 0
        if let descriptor {
            repeat {
                got = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            } while got < 0 && errno == EINTR
        }
        guard got >= 0 else { return .damaged("\(String(cString: strerror(errno)))") }
        buffer += part.prefix(got)
        guard JournalRecord.mayBegin(with: buffer[...]) else { return .damaged("bytes that are not a record") }
        guard got == 0 else { return nil }
        return buffer.isEmpty ? .complete : .torn
    }
}
