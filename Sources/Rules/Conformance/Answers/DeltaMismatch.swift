package import AdServing
package import HLS

/// Difference between a full playlist and the merged one that should equal it.
package struct DeltaMismatch: Sendable, Equatable {
    package let expected: String
    package let observed: String

    /// For a full playlist of which only the digest is known.
    package init(expected: UInt64, observed: UInt64) {
        self.init(
            expected: "the whole playlist (\(String(expected, radix: 16)))",
            observed: "another one after the merge (\(String(observed, radix: 16)))"
        )
    }

    /// Nil if both list the same segments and date ranges; hints, parts and rendition reports change between requests
    /// and are ignored; `own` is masked.
    package init?(expected whole: MediaPlaylist, observed merged: MediaPlaylist, own: StreamID?) {
        guard whole.contentDigest != merged.contentDigest,
            let difference = Self.difference(whole, merged, own: own)
        else { return nil }
        self.init(expected: "in the whole playlist: \(difference.0)", observed: "after the merge: \(difference.1)")
    }

    package var violation: Violation { Violation(.deltaMismatch, expected: expected, observed: observed) }

    private init(expected: String, observed: String) { (self.expected, self.observed) = (expected, observed) }

    private static func difference(_ one: MediaPlaylist, _ other: MediaPlaylist, own: StreamID?) -> (String, String)? {
        for index in 0..<max(one.segments.count, other.segments.count) {
            let (first, second) = (one.line(ofSegment: index, own: own), other.line(ofSegment: index, own: own))
            if first != second { return (first, second) }
        }
        for index in 0..<max(one.dateRanges.count, other.dateRanges.count) {
            let first = one.dateRanges.indices.contains(index) ? one.dateRanges[index] : nil
            let second = other.dateRanges.indices.contains(index) ? other.dateRanges[index] : nil
            guard first != second else { continue }
            return (first.shown(own), second.shown(own))
        }
        return nil
    }
}

extension MediaPlaylist {
    fileprivate func line(ofSegment index: Int, own: StreamID?) -> String {
        guard segments.indices.contains(index) else { return "no segment \(index + 1)" }
        let segment = segments[index]
        let name = Redaction.name(of: uri(of: segment), own: own)
        let marks = (segment.isDiscontinuity ? ", discontinuity" : "") + (segment.isGap ? ", gap" : "")
        return "segment \(mediaSequence(at: index)), \(name), \(segment.durationMicroseconds / 1_000) ms\(marks)"
    }
}

extension DateRange? {
    /// Leaves out attributes, which may be private.
    fileprivate func shown(_ own: StreamID?) -> String {
        guard let range = self else { return "no further date range" }
        let dates = [range.startDate, range.endDate].compactMap { $0?.iso8601 }.joined(separator: " to ")
        return "date range \(Redaction.text(String(range.id.prefix(64)), own: own)) \(dates)"
    }
}

extension Violation {
    /// Only the update itself shows what it leaves out; all else is in the merged playlist.
    package var isOfSkip: Bool { observed.hasPrefix("#EXT-X-SKIP:") }
}
