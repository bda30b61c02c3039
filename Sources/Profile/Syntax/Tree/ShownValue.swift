/// Untrusted text made printable for a message.
package enum ShownValue {
    static let longest = 60

    /// Escapes control characters, drops a URL's query and user information, and cuts at `longest` characters with an ellipsis.
    package static func of(_ text: String) -> String {
        var shown = ""
        var count = 0
        for scalar in withoutURLSecrets(text).unicodeScalars {
            guard count < longest else { return shown + "…" }
            count += 1
            if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func withoutURLSecrets(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        var shown = text
        if let question = shown[scheme.upperBound...].firstIndex(of: "?") {
            shown = shown[..<question] + "?…"
        }
        if let at = shown[scheme.upperBound...].lastIndex(of: "@") {
            shown = shown[..<scheme.upperBound] + "…" + shown[at...]
        }
        return shown
    }
}
