package import Foundation
package import Time

/// Where the shards of a run find each other: things are put there under a name, once, and seen by all.
///
/// Two verbs suffice, so that a shared folder, a small HTTP server and an object store with conditional puts can all be one.
/// Groups keep the few notes by which shards meet apart from what each of them says while it runs.
package protocol RendezvousPlace: Sendable {
    /// Puts something under a name that is free.
    ///
    /// - Parameters:
    ///   - content: At most ``RendezvousListing/longestContent``.
    ///   - group: Of letters, digits and `-`.
    ///   - name: Like a group's.
    /// - Returns: False where the name is taken: what lies there stays.
    /// - Throws: `RendezvousError` for a content that is too long, what is no name, and where the place does not answer.
    func put(_ content: Data, in group: String, as name: String) async throws(RendezvousError) -> Bool

    /// What is in a group, in the order of the names' bytes.
    ///
    /// - Parameters:
    ///   - group: Empty, where nothing was put into it.
    ///   - name: Only what comes after it; nil for all.
    /// - Returns: The first of it, and whether that is all there is.
    /// - Throws: `RendezvousError` where the place does not answer.
    func list(_ group: String, after name: String?) async throws(RendezvousError) -> RendezvousListing

    /// What the place's clock says at a moment during the call.
    ///
    /// - Returns: The reading, and how much later than that it may have been.
    /// - Throws: `RendezvousError` where the place does not answer.
    func time() async throws(RendezvousError) -> PlaceTime
}

extension RendezvousPlace {
    /// Everything in a group, by name.
    ///
    /// - Returns: Nothing, where nothing was put into it.
    /// - Throws: `RendezvousError` where the place does not answer.
    package func contents(of group: String) async throws(RendezvousError) -> [String: Data] {
        try await contents(of: group, after: nil)
    }

    /// What comes after a name in a group, by name.
    ///
    /// - Parameters:
    ///   - group: Where.
    ///   - name: Like a thing's; nothing need lie under it. Nil for all.
    /// - Returns: Nothing, where nothing comes after it.
    /// - Throws: `RendezvousError` where the place does not answer.
    func contents(of group: String, after name: String?) async throws(RendezvousError) -> [String: Data] {
        var contents: [String: Data] = [:]
        try await read(group, after: name) { entries in
            for entry in entries { contents[entry.name] = entry.content }
            return true
        }
        return contents
    }

    /// Reads a group to its end, one listing after the other.
    ///
    /// - Parameters:
    ///   - group: Where.
    ///   - name: Only what comes after it; nil for all.
    ///   - take: Is given what a listing holds, which is never nothing; says whether more is wanted.
    /// - Throws: `RendezvousError` where the place does not answer; what was given before stays given.
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

/// A part of a group.
package struct RendezvousListing: Equatable, Codable, Sendable {
    /// Something under its name.
    package struct Entry: Equatable, Codable, Sendable {
        package var name: String
        package var content: Data

        package init(name: String, content: Data) {
            self.name = name
            self.content = content
        }
    }

    /// In the order of the names' bytes.
    package var entries: [Entry]
    /// Whether nothing comes after the last one.
    package var isWhole: Bool

    /// Bytes; more is put in several pieces.
    package static let longestContent = 1 << 20
    /// Bytes of content after which a listing ends.
    package static let enoughContent = 4 << 20

    /// Refuses what nobody could read whole.
    ///
    /// - Parameter content: To be put.
    /// - Throws: `RendezvousError`.
    package static func check(_ content: Data) throws(RendezvousError) {
        guard content.count <= longestContent else {
            throw RendezvousError("\(content.count) bytes are too many: at most \(longestContent)")
        }
    }

    package init(entries: [Entry], isWhole: Bool) {
        self.entries = entries
        self.isWhole = isWhole
    }
}

/// What a place's clock said.
package struct PlaceTime: Equatable, Sendable {
    package var wall: WallTime
    /// The true reading lies between `wall` and so much later, for a clock that moves in steps.
    package var granularity: Duration

    package init(wall: WallTime, granularity: Duration) {
        self.wall = wall
        self.granularity = granularity
    }
}

/// Why a place did not answer.
package struct RendezvousError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// Whether asking again changes nothing until somebody changes what is asked with: another token is wanted.
    package let isLasting: Bool

    package init(_ description: String, isLasting: Bool = false) {
        self.description = description
        self.isLasting = isLasting
    }
}

/// What a group, or a thing in it, can be called.
package enum RendezvousName {
    /// Whether a text is one: 1 to 80 letters, digits and `-`, so that it is a file's name and a part of a URL as it stands.
    package static func isOne(_ text: String) -> Bool {
        (1...80).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                    || byte == UInt8(ascii: "-")
            }
    }
}
