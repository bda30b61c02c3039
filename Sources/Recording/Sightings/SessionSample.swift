import Foundation

/// Sessions given to viewers of one process, as digests; at the limit, those with the smallest digests.
package struct SessionSample: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var digest: UInt64
        package var viewer: Int32

        package init(digest: UInt64, viewer: Int32) {
            self.digest = digest
            self.viewer = viewer
        }
    }

    /// A megabyte as text: a process with more viewers keeps a part of its sessions.
    package static let most = 1 << 16
    private static let entryBytes = 12

    package let given: Int
    package let kept: [Entry]

    /// `given` is the total number of sessions; `kept` are those with the smallest digests, in order.
    package init(given: Int, kept: [Entry]) {
        self.given = given
        self.kept = kept
    }

    /// Largest digest up to which all sessions are included.
    package var reach: UInt64 { given > kept.count ? kept.last?.digest ?? 0 : .max }
}

extension SessionSample: Codable {
    private enum CodingKeys: CodingKey {
        case given
        case kept
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let bytes = [UInt8](try values.decode(Data.self, forKey: .kept))
        let count = bytes.count / Self.entryBytes
        guard bytes.count == count * Self.entryBytes, count <= Self.most else {
            throw DecodingError.dataCorruptedError(forKey: .kept, in: values, debugDescription: "\(bytes.count) bytes")
        }
        kept = (0..<count).map { place in
            let entry = bytes[place * Self.entryBytes..<(place + 1) * Self.entryBytes]
            let viewer = entry.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return Entry(
                digest: entry.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) },
                viewer: Int32(bitPattern: viewer)
            )
        }
        given = max(try values.decode(Int.self, forKey: .given), count)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        var bytes = Data(capacity: kept.count * Self.entryBytes)
        for entry in kept {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: entry.digest >> (56 - 8 * $0)) }
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: entry.viewer >> (24 - 8 * $0)) }
        }
        try values.encode(given, forKey: .given)
        try values.encode(bytes, forKey: .kept)
    }
}
