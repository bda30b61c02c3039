import JSON

/// The metadata document of a session: it names a media id for each tracking event of each ad.
package struct SessionMetadata: Hashable, Sendable {
    /// One entry of `tags`: media ids that begin with `prefix`.
    package struct Tag: Hashable, Sendable {
        package var prefix: String
        package var adID: String?
        package var adBreakID: String?
        /// `start`, `firstquartile`, `midpoint`, `thirdquartile`, `complete` or `progress`.
        package var type: String

        package init(prefix: String, adID: String?, adBreakID: String?, type: String) {
            self.prefix = prefix
            self.adID = adID
            self.adBreakID = adBreakID
            self.type = type
        }

        /// Whether a media id of this tag is to be verified; `progress` is not.
        package var isVerified: Bool { type != "progress" }
    }

    package struct Ad: Hashable, Sendable {
        package var id: String
        package var adBreakID: String?
        package var sequence: Int?
        package var duration: Duration?
        package var title: String?
        package var clickThroughURL: String?
        package var isSlate: Bool
    }

    package struct AdBreak: Hashable, Sendable {
        package var id: String
        package var type: String?
        package var duration: Duration?
        /// How many ads the break holds.
        package var ads: Int?
    }

    /// Sorted by prefix, byte by byte; each stands there once.
    package var tags: [Tag]
    /// Sorted by id, as the breaks are.
    package var ads: [Ad]
    /// Sorted by id.
    package var adBreaks: [AdBreak]
    package var pollingFrequency: Duration?

    /// Reads the JSON document; keys it does not know are passed over, entries that are no objects are left out.
    ///
    /// Of entries with the same id the first counts.
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
                title: members[Key.title]?.text,
                clickThroughURL: members[Key.clickThroughURL]?.text,
                isSlate: members[Key.slate]?.boolean ?? false
            )
        }
        adBreaks = entries(Key.adBreaks).map { id, members in
            AdBreak(
                id: id,
                type: members[Key.type]?.text,
                duration: members[Key.duration]?.seconds,
                ads: members[Key.ads]?.number.flatMap { Int(exactly: $0) }
            )
        }
        pollingFrequency = document[Key.pollingFrequency]?.seconds
    }

    /// The tag whose prefix the media id begins with; the longest where several match.
    package func tag(matching mediaID: String) -> Tag? { tags.matching(mediaID) }
}

/// Tags that are sorted by their prefixes.
extension [SessionMetadata.Tag] {
    /// The tag whose prefix the media id begins with; the longest where several match.
    package func matching(_ mediaID: String) -> SessionMetadata.Tag? {
        String.withBytes(of: mediaID) { bytes in
            var bytes = bytes
            while let nearest = lastPlace(notAfter: bytes) {
                // Whatever a prefix of the id has in common with it, that is no longer than what the nearest one has.
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
