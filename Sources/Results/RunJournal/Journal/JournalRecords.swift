import CZlib
package import Foundation
import Glibc
import Values

/// One line of a journal, such as `5f0c2a91 0000001c I {"what":"one line of JSON"}` and a line feed.
///
/// CRC-32 and length of the payload in eight lower-case hexadecimal digits each, one letter for the kind. The checksum covers
/// everything after itself and continues the previous record's, so that a record of another place or journal is not accepted.
package struct JournalRecord: Equatable, Sendable {
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// First record of every file.
        case header = 0x48
        /// The whole state so far; second record of every file, and first after a gap.
        case checkpoint = 0x43
        case interval = 0x49
    }

    package var kind: Kind
    package var payload: Data

    /// A length that claims more is damage.
    package static let longestPayload = 1 << 30

    /// Bytes before the payload.
    static let headLength = 20

    /// `checksum` is that of the previous record, or 0, and becomes that of this one.
    package func line(continuing checksum: inout UInt32) -> [UInt8] {
        var covered: [UInt8] = []
        covered.reserveCapacity(payload.count + Self.headLength)
        covered.append(contentsOf: Self.hexadecimal(UInt32(clamping: payload.count)))
        covered.append(contentsOf: [0x20, kind.rawValue, 0x20])
        covered.append(contentsOf: payload)
        covered.append(0x0a)
        checksum = Self.checksum(of: covered, after: checksum)
        return Self.hexadecimal(checksum) + [0x20] + covered
    }

    /// CRC-32 of zlib, continued from an earlier one.
    static func checksum(of bytes: some ContiguousBytes, after previous: UInt32) -> UInt32 {
        bytes.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            return UInt32(truncatingIfNeeded: crc32_z(uLong(previous), start, bytes.count))
        }
    }

    static func hexadecimal(_ number: UInt32) -> [UInt8] { Array(number.hexadecimal(digits: 8).utf8) }

    /// nil for anything that `hexadecimal` does not write.
    static func number(_ digits: some Collection<UInt8>) -> UInt32? {
        UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            .flatMap { hexadecimal($0).elementsEqual(digits) ? $0 : nil }
    }
}

/// First record of a journal: schema, version and the settings needed to read later records.
package struct JournalHeader<Settings: Sendable>: Sendable {
    package var schema: String = schemaName
    package var schemaVersion: Int = currentVersion
    package var podswarmVersion: String = PodswarmVersion.current
    package var settings: Settings

    package static var schemaName: String { "podswarm.journal" }
    /// Raised when data of earlier versions can no longer be folded.
    package static var currentVersion: Int { 4 }

    var isOfThisVersion: Bool { schema == Self.schemaName && schemaVersion == Self.currentVersion }
}

extension JournalHeader: Encodable where Settings: Encodable {}
extension JournalHeader: Decodable where Settings: Decodable {}

enum JournalCoding {
    static func payload(of value: some Encodable) throws -> Data { try DocumentEncoding.journal.encode(value) }

    static func value<Value: Decodable>(_ type: Value.Type, of payload: Data) throws -> Value {
        if let excess = payload.withUnsafeBytes({ JSONLimits.record.excess(of: $0) }) { throw excess }
        return try DocumentDecoding.journal.decode(type, from: payload)
    }
}

/// Reads records up to the first that is not whole.
///
/// Accepts any bytes; memory is limited by the longest record actually present.
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
    package private(set) var ending: Ending?
    private let descriptor: Int32
    private var checksum: UInt32 = 0

    /// Length of the file when it was opened.
    package let bytes: Int64

    /// Data already written does not change during a run (`evenIfBeingWritten`).
    package static func opened(
        _ url: URL,
        evenIfBeingWritten: Bool = false
    ) throws(JournalReadingError) -> JournalLines {
        // A pipe would otherwise block until it is opened for writing.
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .file(FileError(operation: "read", path: url.path, code: errno)) }
        var facts = stat()
        let isFile = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        let lines = JournalLines(descriptor: descriptor, bytes: Int64(facts.st_size))
        guard isFile else { throw .notAFile }
        if !evenIfBeingWritten, flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .beingWritten }
        return lines
    }

    deinit {
        _ = close(descriptor)
    }

    /// After nil, `ending` has the reason.
    package mutating func next() -> JournalRecord? {
        guard ending == nil else { return nil }
        do throws(Stop) {
            return try record()
        } catch {
            ending = error.ending
            return nil
        }
    }

    /// With the checksum of the records before it.
    struct Place: Equatable {
        fileprivate var wholeBytes: Int64
        fileprivate var checksum: UInt32
    }

    var place: Place { Place(wholeBytes: wholeBytes, checksum: checksum) }

    mutating func move(to place: Place) {
        lseek(descriptor, off_t(place.wholeBytes), SEEK_SET)
        (wholeBytes, checksum) = (place.wholeBytes, place.checksum)
    }

    /// Continues in a file that has grown; a damaged one stays damaged.
    package mutating func resume() {
        switch ending {
        case .complete, .torn:
            lseek(descriptor, off_t(wholeBytes), SEEK_SET)
            ending = nil
        case .damaged, nil: break
        }
    }

    /// The payload of the last record is meaningless.
    package mutating func refuse(_ record: JournalRecord, because reason: String) {
        wholeBytes -= Int64(JournalRecord.headLength + record.payload.count + 1)
        ending = .damaged(reason)
    }

    private struct Stop: Error {
        var ending: Ending
    }

    private mutating func record() throws(Stop) -> JournalRecord {
        let head = try bytes(JournalRecord.headLength)
        guard !head.isEmpty else { throw Stop(ending: .complete) }
        guard
            let checksum = JournalRecord.number(head.prefix(8)), head[8...].first == 0x20,
            let length = JournalRecord.number(head.dropFirst(9).prefix(8)), head[17...].first == 0x20,
            let kind = head[18...].first.flatMap(JournalRecord.Kind.init), head[19...].first == 0x20
        else {
            let isCutShort = head.count < JournalRecord.headLength && Self.mayBeginRecord(head)
            throw Stop(ending: isCutShort ? .torn : .damaged("bytes that are not a record"))
        }
        guard length <= JournalRecord.longestPayload else {
            throw Stop(ending: .damaged("a record of \(length) bytes"))
        }
        let rest = try bytes(Int(length) + 1)
        guard rest.count == Int(length) + 1 else { throw Stop(ending: .torn) }
        let covered = JournalRecord.checksum(
            of: rest,
            after: JournalRecord.checksum(of: head[9...], after: self.checksum)
        )
        guard covered == checksum, rest.last == 0x0a else { throw Stop(ending: .damaged("a checksum that is wrong")) }
        self.checksum = checksum
        wholeBytes += Int64(head.count + rest.count)
        return JournalRecord(kind: kind, payload: Data(rest.dropLast()))
    }

    private static func mayBeginRecord(_ bytes: [UInt8]) -> Bool {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.enumerated().allSatisfy { index, byte in
            switch index {
            case 8, 17, 19: byte == 0x20
            case 18: JournalRecord.Kind(rawValue: byte) != nil
            default: digits.contains(byte)
            }
        }
    }

    private func bytes(_ count: Int) throws(Stop) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let wanted = min(count - bytes.count, Self.stride)
            var part = [UInt8](repeating: 0, count: wanted)
            let got = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Stop(ending: .damaged("\(String(cString: strerror(errno)))")) }
            guard got > 0 else { break }
            bytes.append(contentsOf: part.prefix(got))
        }
        return bytes
    }

    /// Bytes allocated at a time for a claimed length.
    private static let stride = 1 << 20
}
