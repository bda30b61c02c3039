/// Apple's preload class (bis-22 appendix F): loads another date range's resource early.
package struct PreloadRange: Hashable, Sendable {
    package static let classAttribute = "com.apple.hls.preload"

    package enum Attribute: String, Sendable, CaseIterable {
        case uri = "X-URI"
        case targetID = "X-TARGET-ID"
        case targetClass = "X-TARGET-CLASS"
    }

    package var id: String
    /// Absolute if the playlist's own URL is.
    package var uri: String
    package var targetID: String
    package var targetClass: String
    package var startDate: WallTime
    package var endDate: WallTime
}

extension PreloadRange {
    /// All three attributes and an end are required, CUE and END-ON-NEXT are forbidden (bis-22 appendix F).
    package init?(_ range: DateRange, base: String) {
        func text(_ attribute: Attribute) -> String? { range.quoted(attribute.rawValue) }
        guard range.classAttribute == Self.classAttribute,
            range.cue.isEmpty, !range.endOnNext,
            let startDate = range.startDate, let endDate = range.knownEndDate,
            let uri = text(.uri), let targetID = text(.targetID), let targetClass = text(.targetClass)
        else { return nil }
        self.init(
            id: range.id,
            uri: URLReference.resolve(uri, against: base) ?? uri,
            targetID: targetID,
            targetClass: targetClass,
            startDate: startDate,
            endDate: endDate
        )
    }

    /// Relation of a hint to an interstitial.
    package enum Match: Hashable, Sendable {
        case other, matches
        /// Nothing is loaded, and nothing loaded is used.
        case classDiffers
        /// The loaded resource is discarded.
        case uriDiffers
    }

    package func match(_ interstitial: Interstitial) -> Match {
        guard interstitial.id == targetID else { return .other }
        guard targetClass == Interstitial.classAttribute else { return .classDiffers }
        return interstitial.content.uri == uri ? .matches : .uriDiffers
    }

    /// `fraction`, 0 to 1, is the random draw; nil when no part of the range is left.
    ///
    /// Not before the playhead, nor after `latest`, when the interstitial would be resolved anyway (bis-22 appendix D.2, steps
    /// A and B).
    package func loadDate(fraction: Double, playhead: WallTime, latest: WallTime) -> WallTime? {
        let (start, end) = (max(startDate, playhead), min(endDate, latest))
        guard start <= end else { return nil }
        let length = end.duration(since: start).wholeMicroseconds
        let share = fraction.isFinite ? max(0, min(1, fraction)) : 0
        let step = min(length, SecondsText.microseconds(Double(length) * share / 1_000_000))
        return start + .microseconds(step)
    }
}

extension MediaPlaylist {
    /// Clients ignore hints with EXT-X-ENDLIST (bis-22 appendix D.2).
    package func preloads(base: String) -> [PreloadRange] {
        hasEndList ? [] : dateRanges.compactMap { PreloadRange($0, base: base) }
    }
}
