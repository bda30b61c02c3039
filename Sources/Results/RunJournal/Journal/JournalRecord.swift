import CZlib
package import Foundation
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

    /// `previous` is 0 for the first record.
    package func line(after previous: UInt32) -> (bytes: [UInt8], checksum: UInt32) {
        var covered: [UInt8] = []
        covered.reserveCapacity(payload.count + Self.headLength)
        covered.append(contentsOf: Self.hexadecimal(UInt32(clamping: payload.count)))
        covered.append(contentsOf: [0x20, kind.rawValue, 0x20])
        covered.append(contentsOf: payload)
        covered.append(0x0a)
        let checksum = Self.checksum(of: covered, after: previous)
        return (Self.hexadecimal(checksum) + [0x20] + covered, checksum)
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
