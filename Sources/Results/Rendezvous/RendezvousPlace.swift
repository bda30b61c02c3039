package import Foundation
package import Values

/// Meeting place of shards: content is put under a name, once, and visible to all.
///
/// Two operations suffice, so that a shared folder, an HTTP server or an object store with conditional puts can be a place.
/// Every call throws if the place does not answer.
package protocol RendezvousPlace: Sendable {
    /// False if the name has other content; true again for the same, because an answer may have been lost.
    func put(_ content: Data, in group: String, as name: String) async throws(RendezvousError) -> Bool

    /// First entries after `name` (nil: all) in the byte order of names; a group without content is empty.
    func list(_ group: String, after name: String?) async throws(RendezvousError) -> RendezvousListing

    func time() async throws(RendezvousError) -> PlaceTime

    func shutDown() async
}

extension RendezvousPlace {
    package func shutDown() async {}

    package func closed<Outcome>(after body: (any RendezvousPlace) async throws -> Outcome) async throws -> Outcome {
        do {
            let outcome = try await body(self)
            await shutDown()
            return outcome
        } catch {
            await shutDown()
            throw error
        }
    }

    /// `name` need not exist; nil for all.
    package func contents(of group: String, after name: String? = nil) async throws(RendezvousError) -> [String: Data] {
        var contents: [String: Data] = [:]
        try await read(group, after: name) { entries in
            for entry in entries { contents[entry.name] = entry.content }
            return true
        }
        return contents
    }

    /// `take` returns whether to continue; entries stay valid if a later listing fails.
    package func read(
        _ group: String,
        after name: String?,
        _ take: ([RendezvousListing.Entry]) -> Bool
    ) async throws(RendezvousError) {
        var last = name
        while true {
            let listing = try await list(group, after: last)
            guard let name = listing.entries.last?.name else { return }
            guard take(listing.entries), !listing.isWhole else { return }
            last = name
        }
    }
}

package struct RendezvousListing: Equatable, Codable, Sendable {
    package struct Entry: Equatable, Codable, Sendable {
        package var name: String
        package var content: Data

        package init(name: String, content: Data) {
            (self.name, self.content) = (name, content)
        }
    }

    package var entries: [Entry]
    /// Whether the group has no entry after the last one.
    package var isWhole: Bool

    /// In bytes; longer content is put in several pieces.
    package static let longestContent = 1 << 20
    /// Bytes of content after which a listing ends.
    package static let enoughContent = 1 << 20

    /// Rejects content that a reader would cut.
    package static func check(_ content: Data) throws(RendezvousError) {
        guard content.count <= longestContent else {
            throw RendezvousError("\(content.count) bytes are too many: at most \(longestContent)")
        }
    }
}

package struct PlaceTime: Equatable, Sendable {
    package var wall: WallTime
    /// The true time is between `wall` and `wall + granularity`.
    package var granularity: Duration

    package init(wall: WallTime, granularity: Duration) {
        (self.wall, self.granularity) = (wall, granularity)
    }
}

package struct RendezvousError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// A retry is useless until the user changes something, such as the token.
    package let isLasting: Bool

    package init(_ description: String, isLasting: Bool = false) {
        (self.description, self.isLasting) = (description, isLasting)
    }
}

package enum RendezvousName {
    /// 1 to 80 letters, digits and `-`, valid in a file name and a URL.
    package static func isOne(_ text: String) -> Bool {
        (1...80).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
    }
}

/// Reports a change of whether a place answers, once.
package struct PlaceTrouble: Sendable {
    package private(set) var reason: RendezvousError?

    package init() {}

    /// nil is an answer; returns a message for the user.
    package mutating func note(_ error: RendezvousError?) -> String? {
        defer { reason = error }
        switch (reason, error) {
        case (nil, let error?): return "The rendezvous does not answer: \(error)"
        case (_?, nil): return "The rendezvous answers again."
        case (nil, nil), (_?, _?): return nil
        }
    }
}

/// Bearer token (RFC 6750) that protects a rendezvous against strangers.
package struct RendezvousToken: Equatable, Sendable {
    /// Environment variable used without a file; an argument would be visible to every user of the machine.
    package static let variable = "PODSWARM_RENDEZVOUS_TOKEN"
    package static let recipe = "head -c 24 /dev/urandom | base64 > token"

    package let text: String

    /// Besides letters and digits (RFC 6750 section 2.1, `b64token`).
    private static let marks = "-._~+/=".utf8
    private static let lengths = 16...512

    /// The thrown error does not repeat the token.
    package init(_ text: String) throws(RendezvousError) {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isMade = token.utf8.allSatisfy { $0.isAlphanumeric || Self.marks.contains($0) }
        guard isMade, Self.lengths.contains(token.utf8.count) else {
            throw RendezvousError(
                "a token is \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) letters, digits and "
                    + "-._~+/=; make one with: \(Self.recipe)"
            )
        }
        self.text = token
    }

    /// Prefers the file to the environment; nil if neither has a token.
    package static func read(file: String?, environment: [String: String]) throws(RendezvousError) -> RendezvousToken? {
        do {
            if let file {
                let data = try UntrustedFile.contents(of: file, mebibytes: 1)
                return try RendezvousToken(String(decoding: data, as: UTF8.self))
            }
            guard let text = environment[variable], !text.isEmpty else { return nil }
            return try RendezvousToken(text)
        } catch {
            throw RendezvousError("\(file ?? variable): \(error)")
        }
    }
}
