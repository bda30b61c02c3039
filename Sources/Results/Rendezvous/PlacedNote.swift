package import Foundation
import Values

/// A shard's note for the others at the meeting place: JSON with sorted keys in snake case.
package protocol PlacedNote: Codable, Equatable, Sendable {}

extension PlacedNote {
    /// Encodes the note, identically for equal notes.
    ///
    /// - Throws: `RendezvousError` for a number that is not finite.
    package func placed() throws(RendezvousError) -> Data {
        do {
            return try DocumentEncoding(.sortedKeys).encode(self)
        } catch {
            throw RendezvousError("a note cannot be written: \(error)")
        }
    }

    /// Decodes a note; nil for data that podswarm did not write.
    package init?(placed data: Data?) {
        guard let data, let note = try? DocumentDecoding().decode(Self.self, from: data) else { return nil }
        self = note
    }
}
