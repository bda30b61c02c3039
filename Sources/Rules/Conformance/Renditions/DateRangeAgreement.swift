import AdServing
import HLS

/// Compares the date ranges of two playlists of one channel over their common time (bis-22 section 6.2.4).
struct DateRangeAgreement {
    let own: RenditionTimeline
    let other: RenditionTimeline
    let tolerance: Duration
    let addresses: RenditionAddresses?

    /// Dates are rounded to milliseconds, lengths of segments to more.
    private static let rounding: Int64 = 100_000

    private var common: Range<Int64> {
        own.range.common(with: other.range, margin: max(Self.rounding, tolerance.wholeMicroseconds))
    }

    /// Returns advice only without another difference.
    func violation(of playlist: MediaPlaylist, as kind: RenditionKind, beside reference: MediaPlaylist) -> Violation? {
        // A rendition need not repeat its variant's ranges.
        if kind != .variant, playlist.dateRanges.isEmpty || reference.dateRanges.isEmpty { return nil }
        let own = playlist.dateRangesByID
        let wanted = reference.dateRangesByID
        let ending = Set(playlist.dateRangeEndings.lazy.map(\.id))
        let referenceEnding = Set(reference.dateRangeEndings.lazy.map(\.id))
        var advice: Violation?
        for range in reference.dateRanges {
            guard let match = own[range.id] else {
                guard isDue(range), !isBegunBefore(range) || !ending.contains(range.id) else { continue }
                let expected = "the date range \(range.summary)"
                return Violation(.renditionDateRangeDiffers, expected: expected, observed: "no date range \(range.id)")
            }
            guard let difference = difference(of: match, from: range) else { continue }
            guard difference.code.severity == .advice else { return difference }
            advice = advice ?? difference
        }
        for range in playlist.dateRanges where isDue(range) {
            guard wanted[range.id] == nil, !isBegunBefore(range) || !referenceEnding.contains(range.id)
            else { continue }
            let observed = "the date range \(range.summary)"
            return Violation(.renditionDateRangeDiffers, expected: "no date range \(range.id)", observed: observed)
        }
        let order = kind == .variant ? orderViolation(of: playlist, beside: reference, wanted) : nil
        return order ?? advice
    }

    /// Interstitials of one time play in the order of their tags, which must be the same everywhere (bis-22 appendix D.2).
    private func orderViolation(
        of playlist: MediaPlaylist,
        beside reference: MediaPlaylist,
        _ wanted: [String: DateRange]
    ) -> Violation? {
        var places: [WallTime: [String]] = [:]
        for range in playlist.dateRanges where range.classAttribute == Interstitial.classAttribute {
            guard let start = range.startDate, wanted[range.id]?.startDate == start else { continue }
            places[start, default: []].append(range.id)
        }
        let ranks = Dictionary(zip(reference.dateRanges.map(\.id), reference.dateRanges.indices)) { first, _ in first }
        for (start, found) in places.sorted(by: { $0.key < $1.key }) where found.count > 1 {
            let order = found.sorted { (ranks[$0] ?? .max) < (ranks[$1] ?? .max) }
            guard order != found else { continue }
            let expected = "the interstitials of \(start.iso8601) in the order \(order.joined(separator: ", "))"
            let observed = "in the order \(found.joined(separator: ", "))"
            let likely = "The packager sorts the date ranges of each rendition on its own."
            return Violation(.renditionDateRangeDiffers, expected: expected, observed: observed, likely: likely)
        }
        return nil
    }

    /// A newly announced range may not have reached the other playlist; one that is over may have left it.
    private func isDue(_ range: DateRange) -> Bool {
        guard let start = range.startDate?.microseconds, start < common.upperBound else { return false }
        guard start < common.lowerBound else { return true }
        return range.knownEndDate.map { $0.microseconds > common.lowerBound } ?? false
    }

    /// The tag with its start may have left one window, while the tag with its end remains.
    private func isBegunBefore(_ range: DateRange) -> Bool {
        range.startDate.map { $0.microseconds < common.lowerBound } ?? true
    }

    /// Attributes may be added, never removed: the older playlist may lack some.
    private func difference(of range: DateRange, from reference: DateRange) -> Violation? {
        // A relative reference may mean two things in the two playlists.
        guard range != reference || addresses != nil && range.relativeList != nil else { return nil }
        let listed = range.comparedAttributes(in: addresses?.own)
        let wanted = reference.comparedAttributes(in: addresses?.reference)
        let names = Set(listed.keys).union(wanted.keys).sorted()
        var advice: Violation?
        for name in names where listed[name] != wanted[name] {
            if tolerance.covers(name, of: range, and: reference) { continue }
            if listed[name] == nil, own.end < other.end { continue }
            if wanted[name] == nil, other.end <= own.end { continue }
            // Two addresses may give one list: only an address from which no list comes is wrong (bis-22 appendix D.2).
            let isOneText = range.attributes[name] != nil && range.attributes[name] == reference.attributes[name]
            if !isOneText, let own = listed[name], let wanted = wanted[name], Self.isSignedAnew(own, wanted) {
                advice = Self.signedAnew(name, of: range)
                continue
            }
            let violation = Violation(
                isOneText ? .playlistFormLoose : .renditionDateRangeDiffers,
                expected: "\(range.id): " + (wanted[name].map { "\(name)=\($0)" } ?? "no \(name)"),
                observed: listed[name].map { "\(name)=\($0)\(range.shift(of: name, from: reference))" } ?? "no \(name)",
                likely: isOneText
                    ? "The address is relative, and the playlists lie in different folders."
                    : "The packager computes the date range for each rendition on its own."
            )
            guard isOneText else { return violation }
            advice = violation
        }
        return advice
    }

    private static func isSignedAnew(_ own: String, _ other: String) -> Bool {
        own.contains("/") && PlayedAddress.withoutTokens(own) == PlayedAddress.withoutTokens(other)
    }

    private static func signedAnew(_ name: String, of range: DateRange) -> Violation {
        let expected = "ID=\"\(range.id)\" with the same \(name) in each playlist"
        let observed = "another one that differs only in \(PlayedAddress.tokenFolder)"
        let likely = "The manipulator signs the address for each playlist, or gives each another ad."
        return Violation(.dateRangeSignedAnew, expected: expected, observed: observed, likely: likely)
    }
}

extension MediaPlaylist {
    /// A hostile playlist may list a million.
    var dateRangesByID: [String: DateRange] { Dictionary(dateRanges.map { ($0.id, $0) }) { first, _ in first } }
}

extension DateRange {
    /// All attributes but the ID; URIs without their queries and signatures, which may be the viewer's own.
    ///
    /// Only the path of the list's address counts: pathways have hosts of their own.
    fileprivate func comparedAttributes(in base: String?) -> [String: String] {
        var texts = attributes.mapValues { value in
            switch value {
            case .quoted(let text) where text.contains("/"): PlayedAddress.unsigned(text[...])
            case .quoted(let text): String(text.prefix { $0 != "?" })
            default: value.text
            }
        }
        if let base, let path = relativeList.flatMap({ RenditionAddresses.path(of: $0, in: base) }) {
            texts[Interstitial.Attribute.assetList.rawValue] = path
        }
        for list in [Interstitial.Attribute.restrict, .snap].map(\.rawValue) {
            texts[list] = texts[list].map { $0.split(separator: ",").sorted().joined(separator: ",") }
        }
        texts["CLASS"] = classAttribute
        texts["START-DATE"] = startDate?.iso8601
        texts["END-DATE"] = endDate?.iso8601
        texts["DURATION"] = duration.map { "\($0)" }
        texts["PLANNED-DURATION"] = plannedDuration.map { "\($0)" }
        texts["CUE"] = cue.isEmpty ? nil : cue.map(\.rawValue).sorted().joined(separator: ",")
        texts["END-ON-NEXT"] = endOnNext ? "YES" : nil
        texts["SCTE35-OUT"] = scte35Out
        texts["SCTE35-IN"] = scte35In
        texts["SCTE35-CMD"] = scte35Command
        return texts
    }

    fileprivate var relativeList: String? {
        guard case .quoted(let list)? = attributes[Interstitial.Attribute.assetList.rawValue] else { return nil }
        return URLReference.isAbsolute(list) ? nil : list
    }

    func shift(of name: String, from other: DateRange) -> String {
        guard name.hasSuffix("-DATE"), let own = time(name), let known = other.time(name) else { return "" }
        return ", \(own.subtractingClamped(known).shiftText)"
    }

    fileprivate var summary: String { startDate.map { "\(id) from \($0.iso8601)" } ?? id }
}

/// Addresses of two playlists.
package struct RenditionAddresses: Sendable {
    let own: String
    let reference: String
    /// All media playlists; empty if unknown.
    let channel: [String]

    package init(own: String, reference: String, channel: [String] = []) {
        (self.own, self.reference, self.channel) = (own, reference, channel)
    }

    var reversed: RenditionAddresses { RenditionAddresses(own: reference, reference: own, channel: channel) }

    /// Nil for an invalid reference; without signatures.
    static func path(of reference: String, in base: String) -> String? {
        // Files lie beside each other as their addresses do.
        func address(_ place: String) -> String { (place.contains("://") ? "" : "http://a.invalid/") + place }
        let whole = reference == base ? address(base) : URLReference.resolve(reference, against: address(base))
        guard let whole, let host = whole.firstRange(of: "://") else { return whole }
        return PlayedAddress.unsigned(whole[host.upperBound...].drop { $0 != "/" })
    }
}
