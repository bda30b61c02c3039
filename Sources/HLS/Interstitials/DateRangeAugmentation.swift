/// What a later version of a playlist says about a date range that is already known (bis-22 section 4.4.5.1).
package struct DateRangeAugmentation: Hashable, Sendable {
    /// The known range with what was added.
    package var range: DateRange
    /// Names of the attributes that were added, sorted.
    package var added: [String]
    /// Names of attributes whose values were changed, which is illegal, sorted; the known values stand.
    package var conflicting: [String]
    /// Names of known attributes that the later version leaves out, which is illegal, sorted; they stay.
    package var missing: [String]

    package var changesAnything: Bool {
        !added.isEmpty
    }
}

extension DateRange {
    /// This range as known from earlier versions of a playlist, with what a later version says of the same ID.
    package func augmented(by later: DateRange) -> DateRangeAugmentation {
        let known = namedValues
        let news = later.namedValues
        var range = self
        range.consolidate(with: later)
        return DateRangeAugmentation(
            range: range,
            added: news.keys.filter { known[$0] == nil }.sorted(),
            conflicting: known.compactMap { name, value in
                news[name].flatMap { $0 == value ? nil : name }
            }.sorted(),
            missing: known.keys.filter { news[$0] == nil }.sorted()
        )
    }

    /// Every attribute but ID by its name, in a form that can be compared.
    private var namedValues: [String: String] {
        var values = attributes.mapValues(\.text)
        values["CLASS"] = classAttribute
        values["START-DATE"] = startDate.map { String($0.microseconds) }
        values["END-DATE"] = endDate.map { String($0.microseconds) }
        values["DURATION"] = duration.map { String($0.wholeMicroseconds) }
        values["PLANNED-DURATION"] = plannedDuration.map { String($0.wholeMicroseconds) }
        values["CUE"] = cue.isEmpty ? nil : cue.map(\.rawValue).sorted().joined(separator: ",")
        values["END-ON-NEXT"] = endOnNext ? "YES" : nil
        values["SCTE35-CMD"] = scte35Command
        values["SCTE35-OUT"] = scte35Out
        values["SCTE35-IN"] = scte35In
        return values
    }
}
