import AdServing
import Foundation
package import Profile
import Transport

/// Header sent with each request to the stream's own server.
package struct StreamHeader: Hashable, Sendable {
    package let name: String
    /// Value as given, which may have `${NAME}` references to the environment.
    package let written: String
    /// Value as sent; not redacted.
    package let value: String
    /// Value of each variable that `written` refers to.
    package let environment: [String: String]

    /// Parses `name: value`; an error never repeats a value, because it may be a secret.
    package init(_ line: String, in surroundings: ProfileSurroundings = .process) throws(StreamFailure) {
        guard let colon = line.firstIndex(of: ":") else {
            throw StreamFailure(.unusable, "--header: a header is \"name: value\"")
        }
        let name = Self.trimmed(line[..<colon])
        let written = Self.trimmed(line[line.index(after: colon)...])
        // Text before the colon that is no header name may be a secret.
        let isShown = !name.isEmpty && !name.contains(where: \.isWhitespace) && !Redaction.looksSecret(name)
        let option = isShown ? "--header \(name)" : "--header"
        let expanded: EnvironmentText
        do throws(EnvironmentText.Refusal) {
            expanded = try EnvironmentText(written, surroundings.environmentVariable)
        } catch {
            throw StreamFailure(.unusable, "\(option): \(error.reason)")
        }
        if let refusal = ConnectionPlan.refusal(ofHeader: name, value: expanded.text) {
            throw StreamFailure(.unusable, "\(option): this \(refusal)")
        }
        (self.name, self.written) = (name, written)
        (value, environment) = (expanded.text, expanded.values)
    }

    /// Parses all `--header` options; a repeated name is an error.
    package static func all(of lines: [String], in surroundings: ProfileSurroundings = .process)
        throws(StreamFailure) -> [StreamHeader]
    {
        var headers: [StreamHeader] = []
        for line in lines {
            let header = try StreamHeader(line, in: surroundings)
            guard !headers.contains(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                throw StreamFailure(
                    .unusable,
                    "--header \(header.name): this stands twice; a profile sends a header once"
                )
            }
            headers.append(header)
        }
        return headers
    }

    /// Whether `written` may stand in a profile: it refers to the environment for secrets, or it is a header of players that
    /// any server may see and nothing in it looks like a secret.
    ///
    /// Any other header is treated as a secret, because the meaning of a custom name is unknown.
    package var isTellable: Bool {
        guard !environment.isEmpty else {
            return HeaderList.ofPlayers.contains(name.lowercased()) && Redaction.url(value, own: nil) == value
        }
        let plain = environment.keys.reduce(written) { $0.replacing("${\($1)}", with: "") }
        return !plain.split(separator: " ").contains { Redaction.looksSecret($0) }
    }

    /// Values that must never be printed.
    package var secrets: [String] { Array(environment.values) + (isTellable ? [] : [value]) }

    private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }
}
