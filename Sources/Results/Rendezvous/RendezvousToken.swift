import Foundation

/// Bearer token (RFC 6750) that protects a rendezvous against strangers.
package struct RendezvousToken: Equatable, Sendable {
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// Environment variable used without a file; an argument would be visible to every user of the machine.
    package static let variable = "PODSWARM_RENDEZVOUS_TOKEN"
    /// Command that creates a token.
    package static let recipe = "head -c 24 /dev/urandom | base64 > token"

    package let text: String

    /// Characters allowed besides letters and digits (RFC 6750 section 2.1, `b64token`).
    private static let marks = "-._~+/=".utf8
    private static let lengths = 16...512

    /// White space around the token is ignored.
    ///
    /// - Throws: `Mistake`, which does not repeat the token.
    package init(_ text: String) throws(Mistake) {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isMade = token.utf8.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || Self.marks.contains(byte)
        }
        guard isMade, Self.lengths.contains(token.utf8.count) else {
            throw Mistake(
                description: "a token is \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) letters, digits and "
                    + "-._~+/=; make one with: \(Self.recipe)"
            )
        }
        self.text = token
    }

    /// Reads the token from a file, or else from the environment; nil if neither has one.
    ///
    /// - Throws: `Mistake` for a file that cannot be read or an invalid token.
    package static func read(file: String?, environment: [String: String]) throws(Mistake) -> RendezvousToken? {
        guard let file else {
            guard let text = environment[variable], !text.isEmpty else { return nil }
            do {
                return try RendezvousToken(text)
            } catch {
                throw Mistake(description: "\(variable): \(error)")
            }
        }
        guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.read(upToCount: 4_096) else {
            throw Mistake(description: "\(file): it cannot be read")
        }
        do {
            return try RendezvousToken(String(decoding: data, as: UTF8.self))
        } catch {
            throw Mistake(description: "\(file): \(error)")
        }
    }
}
