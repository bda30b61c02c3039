package import Time

/// The breaks that a live playlist announced while it was followed, by how it did.
package struct SeenBreaks: Hashable, Sendable {
    /// Those of Apple's interstitial class.
    package var interstitials = Announced()
    /// Date ranges of other classes that carry SCTE35-OUT or a length, by CLASS; empty for those without one.
    package var dateRanges: [String: Announced] = [:]
    /// Those marked by cue tags, whatever their dialect.
    package var cueTags = Announced()
    /// How interstitials name what is played.
    package var content = Content()

    /// What X-ASSET-URI and X-ASSET-LIST name.
    package struct Content: Hashable, Sendable {
        package var assets = 0
        package var lists = 0
        /// Of one list that was asked for; nil where none was.
        package var assetsInList: Int?
        /// Whether any is played when a viewer joins (CUE=PRE).
        package var hasPreRoll = false
        /// Whether all of it is on hosts that may be asked.
        package var isAllowed = true
    }

    /// Breaks that are announced in one way.
    package struct Announced: Hashable, Sendable {
        /// More than any window has.
        static let most = 1_000

        /// By their ids, or dates where they have none.
        private var starts: [String: WallTime?] = [:]
        private var lengths: [String: Duration] = [:]
        /// Whether any carries a splice (SCTE 35).
        package private(set) var hasSplices = false

        package var count: Int { starts.count }

        /// Takes a break in, once for each id; a length that is known later counts.
        package mutating func saw(_ id: String, at start: WallTime?, length: Duration?, hasSplice: Bool = false) {
            guard starts[id] != nil || starts.count < Self.most else { return }
            starts[id] = .some(start)
            if let length, length > .zero { lengths[id] = length }
            hasSplices = hasSplices || hasSplice
        }

        /// The median time from one start to the next, the shorter of two; nil before two were seen.
        package var cadence: Duration? {
            let dates = Set(starts.values.compactMap(\.self)).sorted()
            return Self.median(zip(dates, dates.dropFirst()).map { $1.duration(since: $0) })
        }

        /// The earliest start; nil where no date is known.
        package var firstStart: WallTime? { starts.values.compactMap(\.self).min() }

        /// The median of the planned lengths; nil where none was told.
        package var usualLength: Duration? { Self.median(Array(lengths.values)) }

        private static func median(_ values: [Duration]) -> Duration? {
            values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
        }
    }

    package var isEmpty: Bool { interstitials.count == 0 && dateRanges.isEmpty && cueTags.count == 0 }

    /// Whether two breaks of one kind were seen, so that how often they come is known.
    package var hasCadence: Bool {
        ([interstitials, cueTags] + dateRanges.values).contains { $0.cadence != nil }
    }

    /// The class whose date ranges most likely are breaks: with a splice before others, then by their number.
    ///
    /// One that no field of a profile can hold is left out.
    ///
    /// - Parameter mayTell: Whether a profile may name a class.
    /// - Returns: Nil where there is none.
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
