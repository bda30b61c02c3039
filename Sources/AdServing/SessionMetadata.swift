import Values

/// Metadata document of a session: a media id for each tracking event of each ad.
package struct SessionMetadata: Hashable, Sendable {
    /// Entry of `tags`: media ids that begin with `prefix`.
    package struct Tag: Hashable, Sendable {
        package var prefix: String
        package var adID: String?
        package var adBreakID: String?
        /// `start`, `firstquartile`, `midpoint`, `thirdquartile`, `complete` or `progress`.
        package var type: String

        package var isVerified: Bool { type != "progress" }
    }

    package struct Ad: Hashable, Sendable {
        package var id: String
        package var adBreakID: String?
        package var sequence: Int?
        package var duration: Duration?
        package var isSlate: Bool
    }

    /// Sorted by prefix, byte by byte; each prefix occurs once.
    package var tags: [Tag]
    package var ads: [Ad]
    package var pollingFrequency: Duration?

    /// Ignores unknown keys, entries that are not objects, and repeated ids after the first.
    package init(json: UnsafeRawBufferPointer) throws(AdServingError) {
        typealias Key = WireName.Metadata
        let document = try JSONValue.object(in: json)
        func entries(_ key: String) -> [(id: String, members: JSONObject)] {
            let places = (document[key]?.members.all ?? []).enumerated().sorted { one, other in
                let order = one.element.name.byteOrder(to: other.element.name)
                return order == 0 ? one.offset < other.offset : order < 0
            }
            var entries: [(id: String, members: JSONObject)] = []
            var last: String?
            for (_, member) in places where last?.byteOrder(to: member.name) != 0 {
                last = member.name
                if case .object(let members) = member.value { entries.append((member.name, members)) }
            }
            return entries
        }
        tags = entries(Key.tags).map { prefix, members in
            Tag(
                prefix: prefix,
                adID: members[Key.ad]?.text,
                adBreakID: members[Key.adBreakID]?.text,
                type: members[Key.type]?.text ?? ""
            )
        }
        ads = entries(Key.ads).map { id, members in
            Ad(
                id: id,
                adBreakID: members[Key.adBreakID]?.text,
                sequence: members[Key.sequence]?.number.flatMap { Int(exactly: $0) },
                duration: members[Key.duration]?.seconds,
                isSlate: members[Key.slate]?.boolean ?? false
            )
        }
        pollingFrequency = document[Key.pollingFrequency]?.seconds
    }

    package func tag(matching mediaID: String) -> Tag? { tags.matching(mediaID) }
}

extension [SessionMetadata.Tag] {
    package func matching(_ mediaID: String) -> SessionMetadata.Tag? {
        String.withBytes(of: mediaID) { bytes in
            var bytes = bytes
            while let nearest = lastPlace(notAfter: bytes) {
                // No prefix of the id shares more with the id than the nearest tag does.
                let shared = self[nearest].prefix.sharedBytes(with: bytes)
                guard shared < self[nearest].prefix.utf8.count else { return self[nearest] }
                bytes = UnsafeBufferPointer(rebasing: bytes[..<shared])
            }
            return nil
        }
    }

    private func lastPlace(notAfter bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            let isAfter = String.withBytes(of: self[middle].prefix) { String.order($0, bytes) > 0 }
            if isAfter { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? low - 1 : nil
    }
}
