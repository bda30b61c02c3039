package import Values

/// Breaks that a live playlist announced while it was followed, by the kind of announcement.
package struct SeenBreaks: Hashable, Sendable {
    /// Date ranges of Apple's interstitial class.
    package var interstitials = Announced()
    /// Date ranges of other classes with SCTE35-OUT or a duration, by CLASS; the empty key for those without a class.
    package var dateRanges: [String: Announced] = [:]
    /// Breaks marked by cue tags of any dialect.
    package var cueTags = Announced()
    package var content = Content()

    /// Content that X-ASSET-URI and X-ASSET-LIST of interstitials name.
    package struct Content: Hashable, Sendable {
        package var assets = 0
        package var lists = 0
        /// Number of assets in the list that the survey read; nil if none was read.
        package var assetsInList: Int?
        /// Whether an interstitial plays when a viewer joins (CUE=PRE).
        package var hasPreRoll = false
        /// Whether all content is on authorised hosts.
        package var isAllowed = true
    }

    package struct Announced: Hashable, Sendable {
        /// Limit on breaks; no window has this many.
        static let most = 1_000

        /// Starts by id; the date stands for a missing id.
        private var starts: [String: WallTime?] = [:]
        private var lengths: [String: Duration] = [:]
        /// Whether any break has a splice (SCTE 35).
        package private(set) var hasSplices = false

        package var count: Int { starts.count }

        /// Records a break, once for each id; a length that becomes known later replaces the earlier one.
        package mutating func saw(_ id: String, at start: WallTime?, length: Duration?, hasSplice: Bool = false) {
            guard starts[id] != nil || starts.count < Self.most else { return }
            starts[id] = .some(start)
            if let length, length > .zero { lengths[id] = length }
            hasSplices = hasSplices || hasSplice
        }

        /// Median time between starts (the lower of two middle values); nil before two starts are known.
        package var cadence: Duration? {
            let dates = Set(starts.values.compactMap(\.self)).sorted()
            return Self.median(zip(dates, dates.dropFirst()).map { $1.duration(since: $0) })
        }

        package var firstStart: WallTime? { starts.values.compactMap(\.self).min() }

        /// Median planned length; nil if no length is known.
        package var usualLength: Duration? { Self.median(Array(lengths.values)) }

        private static func median(_ values: [Duration]) -> Duration? {
            values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
        }
    }

    package var isEmpty: Bool { interstitials.count == 0 && dateRanges.isEmpty && cueTags.count == 0 }

    package var hasCadence: Bool {
        ([interstitials, cueTags] + dateRanges.values).contains { $0.cadence != nil }
    }

    /// Class whose date ranges are most likely breaks: one with splices first, then the most frequent.
    ///
    /// Classes that a field of a profile cannot hold, or that `mayTell` rejects, are ignored.
    package func likelyClass(_ mayTell: (String) -> Bool) -> (name: String, announced: Announced)? {
        dateRanges.filter { Self.isTellable($0.key) && mayTell($0.key) }.max { left, right in
            (left.value.hasSplices ? 1 : 0, left.value.count, right.key)
                < (right.value.hasSplices ? 1 : 0, right.value.count, left.key)
        }.map { ($0.key, $0.value) }
    }

    private static func isTellable(_ name: String) -> Bool {
        name.utf8.count <= 4_096 && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
