package import Foundation
import JSON

/// What one shard leaves for the others at the place where they meet: JSON with sorted keys, which are written in
/// snake case.
package protocol PlacedNote: Codable, Equatable, Sendable {}

extension PlacedNote {
    /// The note as it lies there, the same for the same note.
    ///
    /// - Throws: `RendezvousError` where a figure is not a finite number.
    package func placed() throws(RendezvousError) -> Data {
        do {
            return try DocumentEncoding(.sortedKeys).encode(self)
        } catch {
            throw RendezvousError("a note cannot be written: \(error)")
        }
    }

    /// Reads a note; nil for what none of ours has put there.
    package init?(placed data: Data?) {
        guard let data, let note = try? DocumentDecoding().decode(Self.self, from: data) else { return nil }
        self = note
    }
}
