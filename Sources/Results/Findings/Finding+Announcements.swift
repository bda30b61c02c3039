import Rules

extension Finding {
    /// Compares announcements in one playlist only: differences between renditions would show there.
    static func announcements(of breaks: [BreakRecord], tolerance: Int64) -> [Finding] {
        let told = breaks.filter { !$0.announcements.variants.isEmpty }
        return told.flatMap { record in
            [
                attributesDiffer(of: record, .breakStartDiffers, tolerance: tolerance) { timing.contains($0) },
                attributesDiffer(of: record, .breakAnnouncementDiffers, tolerance: 0) { !timing.contains($0) },
                missing(of: record),
            ].compactMap(\.self)
        } + Dictionary(grouping: told) { $0.startMicroseconds }.values.compactMap(identitiesDiffer)
    }

    private static let timing: Set<String> = ["START-DATE", "DURATION", "PLANNED-DURATION", "END-DATE"]

    /// An attribute told to only some viewers may have been added later.
    private static func attributesDiffer(
        of record: BreakRecord,
        _ code: FindingCode,
        tolerance: Int64,
        where isMeant: (String) -> Bool
    ) -> Finding? {
        var split = AudienceSplit()
        let variants = record.announcements.variants.sorted { $0.key < $1.key }.map(\.value)
        for (_, variants) in Dictionary(grouping: variants, by: \.announcement.playlist).sorted(by: { $0.key < $1.key })
        {
            for name in Set(variants.flatMap(\.announcement.attributes.keys)).filter(isMeant).sorted() {
                let parts = Dictionary(grouping: variants.filter { $0.announcement.attributes[name] != nil }) {
                    $0.announcement.attributes[name] ?? ""
                }
                let told = parts.map { value, variants in
                    let viewers = variants.reduce(into: ViewerSet()) { $0.formUnion($1.viewers) }
                    let time = variants.first?.announcement.times[name]
                    let seen = variants.map(\.span).union
                    return AudienceSplit.Part(label: "\(name)=\(value)", viewers: viewers, seen: seen, time: time)
                }
                split.add(told, tolerance: tolerance)
            }
        }
        return split.finding(code, breakKey: record.key, asked: record.announcements.told().count)
    }

    /// Breaks with one start and different identities; viewers that know both see a pod of several breaks.
    private static func identitiesDiffer(_ records: [BreakRecord]) -> Finding? {
        guard records.count > 1 else { return nil }
        var split = AudienceSplit()
        let playlists = Set(records.flatMap { $0.announcements.variants.values.map(\.announcement.playlist) })
        for playlist in playlists.sorted() {
            let parts = records.compactMap { record -> AudienceSplit.Part? in
                let viewers = record.announcements.told(in: playlist)
                let variants = record.announcements.variants.values.filter { $0.announcement.playlist == playlist }
                guard viewers.count > 0 else { return nil }
                return .init(label: "the break \(record.key)", viewers: viewers, seen: variants.map(\.span).union)
            }
            split.add(parts, onlyDisjoint: true)
        }
        let told = records.reduce(into: ViewerSet()) { $0.formUnion($1.announcements.told()) }
        let most = records.sorted { $0.key < $1.key }.max {
            $0.announcements.told().count < $1.announcements.told().count
        }
        return split.finding(.breakAnnouncementDiffers, breakKey: most?.key, asked: told.count)
    }

    /// Playlists of these viewers cover the break's start or middle.
    private static func missing(of record: BreakRecord) -> Finding? {
        let told = record.announcements.told()
        let affected = record.announcements.lacking.subtracting(told)
        guard affected.count > 0 else { return nil }
        let asked = told.count + affected.count
        let shares = shares([("told", told.count), ("not told", affected.count)], of: asked)
        let seen = record.announcements.lackingSighting.map { SightingSpan($0) }
        return Finding(.breakAnnouncementMissing, record.key, affected, of: asked, shares: shares, seen: seen)
    }
}

extension Ballots {
    /// A viewer with several variants of one subject saw it change over time, which is a finding of versions.
    func finding(_ code: FindingCode, breakKey: String?, asked: Int) -> Finding? {
        var wavering = ViewerSet()
        for choices in subjects.values {
            var seen = ViewerSet()
            for choice in choices.values {
                wavering.formUnion(seen.subtracting(seen.subtracting(choice.viewers)))
                seen.formUnion(choice.viewers)
            }
        }
        var split = AudienceSplit()
        for (subject, choices) in subjects.sorted(by: { $0.key < $1.key }) {
            let parts = choices.sorted { $0.key < $1.key }.map { _, choice in
                let (first, viewers) = (choice.span.first, choice.viewers.subtracting(wavering))
                let label = "\(subject): \(first.evidence.observed)"
                return AudienceSplit.Part(label: label, viewers: viewers, seen: SightingSpan(first))
            }
            split.add(parts)
        }
        return split.finding(code, breakKey: breakKey, asked: asked, notKept: notKept)
    }
}

/// Viewers with another value than most.
struct AudienceSplit {
    struct Part {
        var label: String
        var viewers: ViewerSet
        var seen: SightingSpan?
        /// In microseconds, if the value is a time.
        var time: Int64?

        func isNear(_ other: Part, within tolerance: Int64) -> Bool {
            guard let time, let their = other.time else { return false }
            let distance = time.subtractingReportingOverflow(their)
            return !distance.overflow && distance.partialValue.magnitude <= UInt64(max(tolerance, 0))
        }
    }

    private(set) var affected = ViewerSet()
    /// Over all values: a viewer counts once for each.
    private(set) var (asked, differing) = (0, 0)
    private(set) var shares: [(label: String, viewers: Int)] = []
    private(set) var seen: SightingSpan?

    /// `onlyDisjoint` ignores parts that share a viewer with the largest; a time within `tolerance` belongs to it.
    mutating func add(
        _ parts: [Part],
        onlyDisjoint: Bool = false,
        tolerance: Int64 = 0,
        saying: (_ majority: Part, _ other: Part, Evidence) -> Evidence = Self.told
    ) {
        let sorted = parts.filter { $0.viewers.count > 0 }
            .sorted { ($1.viewers.count, $0.label) < ($0.viewers.count, $1.label) }
        guard var majority = sorted.first else { return }
        let largest = majority
        let rest = sorted.dropFirst()
        for part in rest where part.isNear(largest, within: tolerance) { majority.viewers.formUnion(part.viewers) }
        let others = rest.filter { part in
            !part.isNear(largest, within: tolerance)
                && (!onlyDisjoint || part.viewers.isDisjoint(with: majority.viewers))
        }
        guard !others.isEmpty else { return }
        shares += ([majority] + others).map { ($0.label, $0.viewers.count) }
        asked += majority.viewers.count
        for other in others {
            affected.formUnion(other.viewers)
            (asked, differing) = (asked + other.viewers.count, differing + other.viewers.count)
            seen.add(other.seen?.replacingEvidence { saying(majority, other, $0) })
        }
    }

    private static func told(_ majority: Part, _ other: Part, _ evidence: Evidence) -> Evidence {
        let expected = "\(majority.label), as \(majority.viewers.count) viewers were told"
        return evidence.saying(expected: expected, observed: other.label)
    }

    func finding(_ code: FindingCode, breakKey: String?, asked: Int, notKept: UInt64 = 0) -> Finding? {
        guard affected.count > 0 else { return nil }
        let asked = max(asked, affected.count)
        let rest = ViewerShare(label: "(\(notKept) more observations, not kept)", viewers: 0, of: asked)
        let shares = Finding.shares(shares, of: asked) + (notKept > 0 ? [rest] : [])
        return Finding(code, breakKey, affected, of: asked, shares: shares, seen: seen)
    }
}
