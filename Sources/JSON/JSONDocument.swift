package import Foundation

/// A document of podswarm's own, which is written the same way wherever it goes.
package protocol JSONDocument: Encodable {}

extension JSONDocument {
    /// The document as JSON with sorted keys and a final line feed.
    ///
    /// - Returns: UTF-8, the same for the same document.
    /// - Throws: `EncodingError` where a figure is not a finite number.
    package func json() throws -> Data {
        var data = try DocumentEncoding([.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]).encode(self)
        data.append(0x0a)
        return data
    }
}

extension Array: JSONDocument where Element: JSONDocument {}
