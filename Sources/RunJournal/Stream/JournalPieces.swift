import Foundation
import Recording
import Rendezvous

/// Cuts a journal into pieces that a rendezvous takes, each under the name that puts it behind the one before.
package struct JournalPieces {
    /// Where the pieces of a shard lie.
    package static func group(ofShard index: Int) -> String { "journal-\(index)" }

    private var records: [JournalRecord]
    private var checksum: UInt32 = 0
    private var number = 0

    /// - Parameter settings: What the header holds.
    /// - Throws: What makes them no JSON.
    init(settings: CollectorSettings) throws {
        let header = try JournalCoding.payload(of: JournalHeader(settings: settings))
        records = [JournalRecord(kind: .header, payload: header)]
    }

    /// Adds a record behind what was added and not taken.
    mutating func append(_ record: JournalRecord) { records.append(record) }

    /// What was added since the last call; once taken it has to be put, or nothing that follows can be read.
    ///
    /// - Returns: Pieces in their order.
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

    /// In the order of names as in that of numbers.
    private static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits
    }
}
