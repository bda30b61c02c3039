package import Foundation

/// Document of podswarm's own with one form in every place.
package protocol JSONDocument: Encodable {}

extension JSONDocument {
    /// Encodes as UTF-8 JSON with sorted keys and a final line feed, identical for equal documents.
    ///
    /// - Throws: `EncodingError` for a number that is not finite.
    package func json() throws -> Data {
        var data = try DocumentEncoding([.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]).encode(self)
        data.append(0x0a)
        return data
    }
}

extension Array: JSONDocument where Element: JSONDocument {}
