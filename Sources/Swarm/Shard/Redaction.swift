package import AdServing
import HLS

/// Takes out of a URL what must not leave the process: stream ids, tokens, signatures, targeting values, passwords.
///
/// Which parameter of a foreign URL is a secret cannot be known: CDNs name their tokens as they like. So only values
/// that are known to be harmless are kept.
package enum Redaction {
    /// Query parameters whose values may be shown: those of the pod request without its secrets, and HLS's own.
    private static let harmlessNames: Set<String> = [
        WireName.podDurationParameter, WireName.scte35Parameter, "_HLS_msn", "_HLS_part", "_HLS_skip",
        InterstitialQuery.startOffsetParameter, "_HLS_interstitial_id", WireName.MediaTailor.insertionModeParameter,
    ]

    private static let mark = "…"

    /// The URL with secrets replaced; `own` is named by its redacted form wherever it stands.
    package static func url(_ url: String, own: StreamID?) -> String {
        let (path, query) = self.halves(url)
        let shownPath = self.path(path, own: own)
        guard let query else { return shownPath }
        let shown = query.split(separator: "&", omittingEmptySubsequences: false).map { self.parameter($0, own: own) }
        return shownPath + "?" + shown.joined(separator: "&")
    }

    /// A line of a playlist, or a text about one, with the secrets of every reference in it replaced.
    package static func text(_ text: String, own: StreamID?) -> String {
        let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        if isPlain, own.map({ !text.contains($0.rawValue) }) ?? true { return text }
        var shown = ""
        var rest = text[...]
        while !rest.isEmpty {
            let piece = rest.prefix { !Self.separators.contains($0) }
            // A tag's name is no fragment.
            let isTag = piece.first == "#" && !piece.contains("?") && !piece.contains("://")
            shown += piece.isEmpty || isTag ? String(piece) : self.url(String(piece), own: own)
            rest = rest[piece.endIndex...]
            if let separator = rest.popFirst() { shown.append(separator) }
        }
        return shown
    }

    /// What references in a line of a playlist stand between.
    private static let separators: Set<Character> = ["\"", " ", ",", "\t"]

    /// Before and after the question mark; the fragment, which no server sees, is left out.
    private static func halves(_ url: String) -> (path: Substring, query: Substring?) {
        let whole = url.prefix { $0 != "#" }
        guard let question = whole.firstIndex(of: "?") else { return (whole, nil) }
        return (whole[..<question], whole[whole.index(after: question)...])
    }

    private static func path(_ path: Substring, own: StreamID?) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices {
            if let shown = self.ownID(in: parts[index], own) {
                parts[index] = shown
            } else if index > 0, parts[index - 1] == "stream", !parts[index].isEmpty {
                parts[index] = self.mark
            } else if self.isUUID(parts[index]) {
                parts[index] = self.mark
            }
        }
        // "https:", "", "user:password@host"
        if parts.count > 2, parts[0].hasSuffix(":"), parts[1].isEmpty, let at = parts[2].lastIndex(of: "@") {
            parts[2] = self.mark + parts[2][at...]
        }
        let shown = parts.joined(separator: "/")
        // An id with slashes of its own stands in more than one part.
        return self.ownID(in: shown, own) == nil ? shown : self.mark
    }

    /// Whether a path segment is a UUID (RFC 9562 section 4): targets name sessions so, MediaTailor among them.
    private static func isUUID(_ part: String) -> Bool {
        let groups = part.prefix { $0 != "." }.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return false }
        return groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    private static func parameter(_ pair: Substring, own: StreamID?) -> String {
        let name = pair.prefix { $0 != "=" }
        guard name.endIndex < pair.endIndex else {
            return self.ownID(in: String(pair), own) ?? (pair.isEmpty ? "" : self.mark)
        }
        let value = String(pair[pair.index(after: name.endIndex)...])
        guard !self.harmlessNames.contains(String(name)) else {
            return self.ownID(in: String(pair), own) ?? String(pair)
        }
        return "\(name)=" + (self.ownID(in: value, own) ?? self.mark)
    }

    /// What to show of a piece that holds the own id in any spelling; nil where it does not.
    private static func ownID(in piece: String, _ own: StreamID?) -> String? {
        guard let own, !own.rawValue.isEmpty else { return nil }
        var decoded = Array(piece.utf8)
        // An id inside of a URL that is itself a parameter is encoded twice.
        for _ in 0..<3 {
            if self.contains(Array(own.rawValue.utf8), in: decoded) {
                return own.redacted
            }
            let once = self.decoded(decoded)
            guard once != decoded else { break }
            decoded = once
        }
        return nil
    }

    private static func contains(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }

    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
