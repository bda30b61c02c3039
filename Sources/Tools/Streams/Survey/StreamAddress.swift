import AdServing
import Foundation
import HLS
package import Profile
import Transport

/// URL of a stream in a form that a profile accepts.
package struct StreamAddress: Hashable, Sendable {
    /// Bytes of a profile's field.
    private static let longest = 4_096

    /// Absolute, in ASCII, without a fragment, with braces percent-encoded; not redacted.
    package let url: String
    package let origin: WebOrigin

    /// Trims white space, drops the fragment and percent-encodes where necessary; an error never repeats a secret.
    package init(_ text: String) throws(StreamFailure) {
        func refused(_ reason: String) -> StreamFailure { .unusable("the URL \(reason)") }
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

    /// Redacted.
    package var shown: String { Redaction.url(url, own: nil) }

    /// With its leading slash; empty if the URL has none.
    package var path: String { String(url.prefix { $0 != "?" }.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }) }

    package var parameters: [(name: String, value: String?)] { Self.parameters(of: url) }

    /// As the URL spells them; the value is nil without a `=`.
    static func parameters(of url: String) -> [(name: String, value: String?)] {
        let query = url.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return (String(name), name.endIndex < pair.endIndex ? String(pair.dropFirst(name.count + 1)) : nil)
        }
    }
}

/// For the stream's own server.
package struct StreamHeader: Hashable, Sendable {
    package let name: String
    /// May have `${NAME}` references to the environment.
    package let written: String
    /// As sent; not redacted.
    package let value: String
    /// Variables that `written` refers to.
    package let environment: [String: String]

    /// `name: value`; an error never repeats a value, because it may be a secret.
    package init(_ line: String, in surroundings: ProfileSurroundings = .process) throws(StreamFailure) {
        guard let colon = line.firstIndex(of: ":") else {
            throw .unusable("--header: a header is \"name: value\"")
        }
        let name = line[..<colon].trimmingCharacters(in: .whitespaces)
        let written = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        // Text before the colon that is not a header name may be a secret.
        let isShown = !name.isEmpty && !name.contains(where: \.isWhitespace) && !Redaction.looksSecret(name)
        let option = isShown ? "--header \(name)" : "--header"
        let expanded: EnvironmentText
        do throws(EnvironmentText.Refusal) {
            expanded = try EnvironmentText(written, surroundings.environmentVariable)
        } catch {
            throw .unusable("\(option): \(error.reason)")
        }
        if let refusal = ConnectionPlan.refusal(ofHeader: name, value: expanded.text) {
            throw .unusable("\(option): this \(refusal)")
        }
        (self.name, self.written) = (name, written)
        (value, environment) = (expanded.text, expanded.values)
    }

    /// A repeated name is an error.
    package static func all(of lines: [String], in surroundings: ProfileSurroundings = .process)
        throws(StreamFailure) -> [StreamHeader]
    {
        var headers: [StreamHeader] = []
        for line in lines {
            let header = try StreamHeader(line, in: surroundings)
            guard !headers.contains(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                throw .unusable("--header \(header.name): this stands twice; a profile sends a header once")
            }
            headers.append(header)
        }
        return headers
    }

    /// Whether `written` may stand in a profile: with references for secrets, or a player's header that does not look secret.
    ///
    /// Any other header is treated as a secret, because the meaning of a custom name is unknown.
    package var isTellable: Bool {
        guard !environment.isEmpty else {
            return HeaderList.ofPlayers.contains(name.lowercased()) && Redaction.url(value, own: nil) == value
        }
        let plain = environment.keys.reduce(written) { $0.replacing("${\($1)}", with: "") }
        return !plain.split(separator: " ").contains { Redaction.looksSecret($0) }
    }

    /// Never printed.
    package var secrets: [String] { Array(environment.values) + (isTellable ? [] : [value]) }
}
