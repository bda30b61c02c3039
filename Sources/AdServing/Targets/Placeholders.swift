import Values

/// Names in braces that stand for a viewer's values, such as `{stream_id}`.
package enum Placeholders {
    package static let ofViewer = ["viewer", "primary_id"]
    package static let ofContent = ofViewer + [streamID]
    package static let ofPod = ofContent + ["break", "start", "duration_ms", "scte35"]

    package static let streamID = "stream_id"

    /// Replaces each name for which `value` has a text, given the text before it; other text in braces stays, as JSON needs it.
    package static func filled(_ text: String, _ value: (_ name: String, _ before: String) -> String?) -> String {
        var filled = ""
        var rest = text.utf8[...]
        while let opening = rest.firstIndex(of: UInt8(ascii: "{")) {
            filled += Substring(rest[..<opening])
            rest = rest[opening...].dropFirst()
            let name = rest.prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "{") }
            if rest[name.endIndex...].first == UInt8(ascii: "}"), let value = value(String(Substring(name)), filled) {
                filled += value
                rest = rest[name.endIndex...].dropFirst()
            } else {
                filled += "{"
            }
        }
        return filled + Substring(rest)
    }

    /// Parameters of a query, encoded but for the names that are filled later.
    package static func query(_ parameters: [(String, String)]) -> String {
        parameters.map { name, value in
            let encoded = PercentEncoding.encode(value).replacing(/%7B([A-Za-z][A-Za-z0-9_]*)%7D/) { "{\($0.1)}" }
            return "\(PercentEncoding.encode(name))=\(encoded)"
        }.joined(separator: "&")
    }

    /// Names in braces, known or not.
    package static func names(in text: String) -> Set<String> {
        var names: Set<String> = []
        _ = filled(text) { name, _ in
            names.insert(name)
            return nil
        }
        return names
    }
}
