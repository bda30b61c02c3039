import AdServing
import Foundation
import LoadProfile
package import ProfileSyntax
import Transport

/// A header that is sent with each request to the stream's own server.
package struct StreamHeader: Hashable, Sendable {
    /// As somebody spelled it.
    package let name: String
    /// As it was given: with `${NAME}` where the environment has the value, or a part of it.
    package let written: String
    /// As it is sent; not redacted.
    package let value: String
    /// Value of each variable that it names.
    package let environment: [String: String]

    /// Reads `name: value`.
    ///
    /// - Parameters:
    ///   - line: As given.
    ///   - surroundings: What environment variables are looked up in.
    /// - Throws: `StreamFailure` that says what is wrong, and never repeats a value.
    package init(_ line: String, in surroundings: ProfileSurroundings = .process) throws(StreamFailure) {
        guard let colon = line.firstIndex(of: ":") else {
            throw StreamFailure(.unusable, "--header: a header is \"name: value\"")
        }
        let name = Self.trimmed(line[..<colon])
        let written = Self.trimmed(line[line.index(after: colon)...])
        // What stands before the colon may be anything, where it is no name.
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

    /// Reads all that were given.
    ///
    /// - Parameters:
    ///   - lines: As of ``init(_:in:)``.
    ///   - surroundings: Likewise.
    /// - Returns: Each name once.
    /// - Throws: `StreamFailure`, also for a name that stands twice.
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

    /// Whether it may stand in a file as it was given: it has references in place of what is secret, or it is one of those
    /// that any server may see, and nothing in it looks like a secret.
    ///
    /// Any other header is taken for one with a secret: what a name of somebody's means cannot be known.
    package var isTellable: Bool {
        guard !environment.isEmpty else {
            return HeaderList.ofPlayers.contains(name.lowercased()) && Redaction.url(value, own: nil) == value
        }
        let plain = environment.keys.reduce(written) { $0.replacing("${\($1)}", with: "") }
        return !plain.split(separator: " ").contains { Redaction.looksSecret($0) }
    }

    /// What of its value must never be told.
    package var secrets: [String] { Array(environment.values) + (isTellable ? [] : [value]) }

    private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }
}
