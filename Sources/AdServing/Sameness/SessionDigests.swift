import OpenSSL

/// Sessions that a run was given, as digests that say of two runs with one key whether they were given the same.
///
/// Of an id nobody learns anything by its digest that he could not learn by guessing the id.
package struct SessionDigests: Equatable, Sendable {
    /// One session, and the viewer that it was given to first.
    package struct Entry: Equatable, Sendable {
        package var digest: UInt64
        package var viewer: Int32

        package init(digest: UInt64, viewer: Int32) {
            self.digest = digest
            self.viewer = viewer
        }
    }

    /// How many sessions the run was given.
    package var given: Int
    /// Those with the smallest digests, in their order: what several runs keep is then the same part of all sessions.
    package var kept: [Entry]
}

extension GivenSessions {
    /// Digests of the sessions that this run was given.
    ///
    /// - Parameters:
    ///   - key: What all that are held against each other have in common.
    ///   - most: How many are kept.
    /// - Returns: The digests, each the first 64 bits of SHA-256 over the key and a hash of the id.
    package func digests(keyedBy key: String, most: Int) -> SessionDigests {
        let (owners, forgotten) = ownersByHash
        var entries = owners.map { hash, viewer in
            SessionDigests.Entry(digest: Self.digest(of: hash, keyedBy: key), viewer: viewer)
        }
        entries.sort { ($0.digest, $0.viewer) < ($1.digest, $1.viewer) }
        return SessionDigests(given: entries.count + forgotten, kept: Array(entries.prefix(max(0, most))))
    }

    private static func digest(of hash: UInt64, keyedBy key: String) -> UInt64 {
        let bytes = Array(key.utf8) + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
        return Digest.sha256(of: bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
