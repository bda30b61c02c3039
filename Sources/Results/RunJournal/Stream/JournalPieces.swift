import Foundation
import Recording
import Values

/// Splits a journal into pieces for a rendezvous, named in their order.
package struct JournalPieces {
    package static func group(ofShard index: Int) -> String { "journal-\(index)" }

    private var records: [JournalRecord]
    private var checksum: UInt32 = 0
    private var number = 0

    /// - Throws: An error if the settings cannot be encoded.
    init(settings: CollectorSettings) throws {
        let header = try JournalCoding.payload(of: JournalHeader(settings: settings))
        records = [JournalRecord(kind: .header, payload: header)]
    }

    mutating func append(_ record: JournalRecord) { records.append(record) }

    /// Returns the pieces added since the last call; each must be put, or later ones cannot be read.
    mutating func take() -> [RendezvousListing.Entry] {
        var bytes = Data()
        for record in records {
            let line = record.line(after: checksum)
            bytes.append(contentsOf: line.bytes)
            checksum = line.checksum
        }
        records = []
        var pieces: [RendezvousListing.Entry] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(.init(name: Self.name(number), content: Data(rest.prefix(RendezvousListing.longestContent))))
            rest = rest.dropFirst(RendezvousListing.longestContent)
            number += 1
        }
        return pieces
    }

    /// Zero-padded, so that names sort as numbers.
    private static func name(_ number: Int) -> String { String(number).leftPadded(to: 10) }
}
