import AdServing
import HLS
package import Profile

/// URL of a stream in a form that a profile accepts.
package struct StreamAddress: Hashable, Sendable {
    /// Limit of a profile's field, in bytes.
    private static let longest = 4_096

    /// Absolute, in ASCII, without a fragment, with braces percent-encoded; not redacted.
    package let url: String
    package let origin: WebOrigin

    /// Parses a URL that the user typed; an error never repeats a secret.
    ///
    /// Trims white space, drops the fragment and percent-encodes where necessary.
    package init(_ text: String) throws(StreamFailure) {
        func refused(_ reason: String) -> StreamFailure { StreamFailure(.unusable, "the URL \(reason)") }
        let trimmed = text.drop(while: \.isWhitespace).prefix { $0 != "#" }
        guard let end = trimmed.lastIndex(where: { !$0.isWhitespace }) else { throw refused("is empty") }
        let given = String(trimmed[...end])
        let scheme = given.prefix { $0 != ":" }.lowercased()
        guard given.contains("://"), scheme == "http" || scheme == "https" else {
            throw refused("is not one of http or https, such as https://live.example.com/channel/multivariant.m3u8")
        }
        let authority = given.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw refused(
                "has a user name or password in it, which no profile takes: "
                    + "leave them out, and send them by --header 'Authorization: Basic …'"
            )
        }
        let encoded = (URLReference.resolve(given, against: given) ?? given)
            .replacing("{", with: "%7B").replacing("}", with: "%7D")
        guard let origin = WebOrigin(of: encoded) else { throw refused("has no host, or no port, that can be asked") }
        guard encoded.utf8.count <= Self.longest else { throw refused("is longer than \(Self.longest) bytes") }
        url = encoded
        self.origin = origin
    }

    /// Redacted URL.
    package var shown: String { Redaction.url(url, own: nil) }

    /// Path with its leading slash; empty if the URL has none.
    package var path: String { String(url.prefix { $0 != "?" }.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }) }

    /// Query parameters as the URL spells them; the value is nil without a `=`.
    package var parameters: [(name: String, value: String?)] {
        let query = url.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return (String(name), name.endIndex < pair.endIndex ? String(pair.dropFirst(name.count + 1)) : nil)
        }
    }
}
