import AdServing
package import HLS

extension VersionChecks {
    mutating func checkDates() {
        checkKeptDates()
        result.exitGlitch = exitGlitch
    }

    private mutating func checkKeptDates() {
        for number in pair.overlap {
            let (before, after) = pair.segments(number)
            guard let was = pair.previous.ownProgramDate(at: before), let became = pair.next.ownProgramDate(at: after),
                isOff(was, became, before: before, after: after)
            else { continue }
            let observed = Self.text(of: number, pair.next, after, became) + ", \(Self.shift(from: was, to: became))"
            let expected = Self.text(of: number, pair.previous, before, was)
            result.add(Violation(.programDateJump, expected: expected, observed: observed))
            return
        }
    }

    private static func text(of number: UInt64, _ playlist: MediaPlaylist, _ index: Int, _ date: WallTime) -> String {
        guard playlist.segments[index].programDate == nil else {
            return "\(number): #EXT-X-PROGRAM-DATE-TIME:\(date.iso8601)"
        }
        return "\(number): \(date.iso8601), by the nearest tag and EXTINF"
    }

    fileprivate static func shift(from known: WallTime, to found: WallTime) -> String {
        found.microseconds.subtractingClamped(known.microseconds).shiftText
    }

    private func isOff(_ left: WallTime, _ right: WallTime, before: Int, after: Int) -> Bool {
        let apart = left.microseconds.subtractingClamped(right.microseconds).magnitude
        guard apart > UInt64(Self.dateTolerance) else { return false }
        let drift = Self.drift(pair.previous, before).addingClamped(Self.drift(pair.next, after))
        return apart > UInt64(clamping: Self.dateTolerance.addingClamped(drift))
    }

    /// Drift over segments without a date, such as behind an hourly tag; microseconds.
    private static func drift(_ playlist: MediaPlaylist, _ index: Int) -> Int64 {
        let reach = 0..<carriedSegments
        func isDated(_ place: Int) -> Bool {
            !playlist.segments.indices.contains(place) || playlist.segments[place].programDate != nil
        }
        let distance = reach.first { isDated(index - $0) } ?? carriedSegments
        guard distance > index else { return Int64(distance) &* ProgramDateChecks.driftPerSegment }
        return Int64(reach.first { isDated(index + $0) } ?? carriedSegments) &* ProgramDateChecks.driftPerSegment
    }

    private static let carriedSegments = 100

    /// A move of the live edge near a break's end, back or far ahead, that the media in between does not explain.
    private var exitGlitch: Violation? {
        guard let was = pair.previous.ownEndProgramDate, let became = pair.next.ownEndProgramDate else { return nil }
        let media = pair.addedMicroseconds.subtractingClamped(pair.withdrawnMicroseconds)
        let shift = became.microseconds.subtractingClamped(was.microseconds).subtractingClamped(media)
        let isBack = shift < -pair.targetMicroseconds / 2 && became < was
        let isAhead = shift > patience
        guard isBack || isAhead, isNearBreakEnd(was) else { return nil }
        let expected = "a live edge about \((was + .microseconds(media)).iso8601) at the end of the break"
        let observed = "a live edge at \(became.iso8601), which the next version took back"
        return Violation(.breakExitUpdateWrong, expected: expected, observed: observed)
    }

    private func isNearBreakEnd(_ edge: WallTime) -> Bool {
        let reach = UInt64(clamping: patience)
        return (Self.breakEnds(pair.previous) + Self.breakEnds(pair.next)).contains {
            $0.microseconds.subtractingClamped(edge.microseconds).magnitude <= reach
        }
    }

    private static func breakEnds(_ playlist: MediaPlaylist) -> [WallTime] {
        let ranges = playlist.dateRanges.lazy.filter(\.isBreak).compactMap(\.expectedEndDate)
        let cues = playlist.cues().lazy.filter { $0.tag.kind == .in && $0.tag.isPaired }.compactMap { cue in
            let index = cue.segmentIndex
            return index < playlist.segments.count ? playlist.programDate(at: index) : playlist.endProgramDate
        }
        return Array(ranges) + Array(cues)
    }

    /// Date ranges from one version to the next (bis-22 sections 4.4.5.1 and 6.2.1).
    mutating func checkDateRanges() {
        guard !pair.previous.dateRanges.isEmpty || !pair.next.dateRanges.isEmpty else { return }
        let before = pair.previous.dateRangesByID
        var remaining = before
        for range in pair.next.dateRanges {
            if let known = remaining.removeValue(forKey: range.id) {
                checkChange(known, range)
            } else if before[range.id] == nil {
                checkArrival(range)
            }
        }
        guard !remaining.isEmpty else { return }
        let ending = Set(pair.next.dateRangeEndings.lazy.map(\.id))
        for range in pair.previous.dateRanges where remaining[range.id] != nil {
            checkDeparture(range, isEnding: ending.contains(range.id))
        }
    }

    /// A later tag may only add attributes; times may be rounded differently.
    private mutating func checkChange(_ known: DateRange, _ range: DateRange) {
        guard known != range else { return }
        guard let difference = known.difference(from: range, tolerance) else { return checkSignatures(known, range) }
        let expected = "ID=\"\(range.id)\",\(difference.name)=\(difference.known)"
        let observed = "ID=\"\(range.id)\",\(difference.name)=\(difference.found)"
        let likely = Self.likelyCause(of: difference)
        result.add(Violation(.dateRangeChanged, expected: expected, observed: observed, likely: likely))
    }

    /// Nil for an address.
    private static func likelyCause(of difference: DateRange.Difference) -> String? {
        if difference.found == "(gone)" { return "The packager leaves the attribute out when it repeats the tag." }
        if difference.name.hasPrefix("SCTE35-") { return "The packager copies the encoder's newest message." }
        return difference.name.hasPrefix("X-") ? nil : "The packager computes the break anew once it is announced."
    }

    /// Addresses that are signed anew for each request, although the rule asks for the same value.
    private mutating func checkSignatures(_ known: DateRange, _ range: DateRange) {
        let changes = known.attributes.compactMap { name, _ in
            known.ownNames(changedIn: name, of: range).map { (name: name, parameters: $0) }
        }
        guard let change = changes.min(by: { $0.name < $1.name }) else { return }
        let expected = "ID=\"\(range.id)\" with the same \(change.name) in each version"
        let observed = "another one that differs only in \(change.parameters.joined(separator: ", "))"
        result.add(Violation(.dateRangeSignedAnew, of: range.id, expected: expected, observed: observed))
    }

    private mutating func checkArrival(_ range: DateRange) {
        guard let start = range.startDate else { return }
        if let known = earlier.starts[range.id], !tolerance.covers(known.microseconds, start.microseconds) {
            let expected = "an ID of its own; \"\(range.id)\" began at \(known.iso8601)"
            let observed = "ID=\"\(range.id)\",START-DATE=\"\(start.iso8601)\""
            result.add(Violation(.dateRangeReused, expected: expected, observed: observed))
            return
        }
        // The splice out may have left before the first version was seen.
        let isListed = pair.previous.ownProgramDate(at: 0).map { start >= $0 } ?? false
        if range.scte35In != nil, range.scte35Out == nil, isListed, !earlier.leftSplices.contains(range.id) {
            let expected = "SCTE35-OUT under the same ID before it"
            let observed = "ID=\"\(range.id)\" with SCTE35-IN alone"
            let likely = "The splice out was published under another ID, or not at all."
            result.add(Violation(.spliceOrphaned, expected: expected, observed: observed, likely: likely))
        }
        checkAnnouncement(range, start: start)
    }

    /// Microseconds before its start at which a break must be announced.
    ///
    /// Players keep the hold-back behind the live edge (bis-22 section 4.4.3.8) and reload a target duration later (6.3.4).
    static func usualLead(_ playlist: MediaPlaylist) -> Int64 {
        (Int64(playlist.targetDurationSeconds) &* 1_000_000).subtractingClamped(playlist.holdBack.wholeMicroseconds)
    }

    private mutating func checkAnnouncement(_ range: DateRange, start: WallTime) {
        guard range.isBreak, !range.cue.contains(.pre), !range.cue.contains(.post),
            let edge = pair.next.ownEndProgramDate, let first = pair.next.programDate(at: 0), start >= first,
            // The live edge itself may be wrong.
            result.exitGlitch == nil, !result.violations.contains(where: { $0.code == .windowExplosion })
        else { return }
        // After missed versions, the first of them may already have listed it.
        let found = start.microseconds.subtractingClamped((pair.firstAddedEnd ?? edge).microseconds)
        guard found < lead else { return }
        let expected = "ID=\"\(range.id)\" with the live edge at the latest \(Self.place(lead)) \(start.iso8601)"
        let observed = "first listed with it \(Self.place(found)) that start, and at \(edge.iso8601) when it was seen"
        result.add(Violation(.breakAnnouncedLate, of: range.id, expected: expected, observed: observed))
    }

    private static func place(_ lead: Int64) -> String {
        "\(Int64(clamping: lead.magnitude).secondsText) \(lead < 0 ? "past" : "before")"
    }

    /// `isEnding`: only the tag with its start has gone, and one with its end is still listed.
    private mutating func checkDeparture(_ range: DateRange, isEnding: Bool) {
        guard let start = range.startDate, let first = pair.next.ownProgramDate(at: 0),
            let edge = pair.next.ownEndProgramDate, !isEnding || start >= first
        else { return }
        let end = range.knownEndDate ?? start
        let isInside = start < edge && (end > first || start >= first)
        // The dates of ads, years past, make the window enclose what no segment covers.
        if isInside, pair.next.covers(start, end) {
            // Viewers at the live edge are past it.
            let isOver = range.knownEndDate.map { $0 + pair.next.holdBack < edge } ?? false
            result.noteRemoval(of: range.id, isOver: isOver)
            let expected = "ID=\"\(range.id)\" from \(start.iso8601) while its segments are listed"
            let observed = "no such date range beside segments from \(first.iso8601) to \(edge.iso8601)"
            let code: FindingCode = isOver ? .dateRangeRemovedEarly : .dateRangeVanished
            result.add(Violation(code, expected: expected, observed: observed))
            return
        }
        if start < edge, range.scte35Out != nil, range.scte35In == nil, range.expectedDuration == nil {
            let expected = "SCTE35-IN, or a duration, for ID=\"\(range.id)\""
            let observed = "a splice out at \(start.iso8601) that never ended"
            result.add(Violation(.spliceOrphaned, expected: expected, observed: observed))
        }
    }
}

extension DateRange {
    /// Viewers leave the programme for it, or play something in its place.
    var isBreak: Bool { scte35Out != nil || classAttribute == Interstitial.classAttribute }

    /// Nil if the address is equal or names other content.
    fileprivate func ownNames(changedIn name: String, of later: DateRange) -> [String]? {
        guard case .quoted(let known)? = attributes[name], case .quoted(let next)? = later.attributes[name] else {
            return nil
        }
        return PlayedAddress().ownNames(changedFrom: known, to: next)
    }

    fileprivate typealias Difference = (name: String, known: String, found: String)

    fileprivate func difference(from later: DateRange, _ tolerance: Duration) -> Difference? {
        let fields: [(name: String, text: (DateRange) -> String?)] = [
            ("CLASS", \.classAttribute), ("START-DATE", \.startDate?.iso8601), ("END-DATE", \.endDate?.iso8601),
            ("DURATION", \.duration?.wholeMicroseconds.secondsText),
            ("PLANNED-DURATION", \.plannedDuration?.wholeMicroseconds.secondsText), ("SCTE35-OUT", \.scte35Out),
            ("SCTE35-IN", \.scte35In), ("SCTE35-CMD", \.scte35Command),
            ("CUE", { $0.cue.isEmpty ? nil : $0.cue.map(\.rawValue).joined(separator: ",") }),
            ("END-ON-NEXT", { $0.endOnNext ? "YES" : nil }),
        ]
        for (name, text) in fields {
            guard let known = text(self), text(later) != known, !tolerance.covers(name, of: self, and: later)
            else { continue }
            return (name, known, text(later).map { $0 + later.shift(of: name, from: self) } ?? "(gone)")
        }
        let changed = attributes.filter { name, value in
            later.attributes[name] != value && ownNames(changedIn: name, of: later) == nil
        }
        .min { $0.key < $1.key }
        return changed.map { name, value in
            // Values of unknown attributes may carry secrets.
            guard Interstitial.Attribute(rawValue: name) != nil else {
                return (name, "its first value", later.attributes[name] == nil ? "(gone)" : "another value")
            }
            return (name, value.text, later.attributes[name].map(\.text) ?? "(gone)")
        }
    }
}

extension MediaPlaylist {
    /// Whether segments between two discontinuities cover the time; players carry dates on over undated ads.
    fileprivate func covers(_ start: WallTime, _ end: WallTime) -> Bool {
        var first = segments.startIndex
        for _ in 0..<Self.readStretches {
            guard first < segments.endIndex else { return false }
            let number = segments[first].discontinuitySequence
            let next = segments[first...].firstIndex { $0.discontinuitySequence != number } ?? segments.endIndex
            if let begin = programDate(at: first), let last = programDate(at: next - 1) {
                let until = last + .microseconds(segments[next - 1].durationMicroseconds)
                if start < until, end > begin || start >= begin { return true }
            }
            first = next
        }
        return true
    }

    private static let readStretches = 64
}

/// Recognises reused IDs; keeps a limited number of the newest.
package struct DateRangeHistory: Sendable {
    /// Earlier knowledge about the IDs that a version lists.
    package struct Earlier: Hashable, Sendable {
        /// First START-DATE of each ID that left the playlist and came back with another one.
        package internal(set) var starts: [String: WallTime] = [:]
        /// SCTE35-IN alone may remain after SCTE35-OUT has left the window.
        package internal(set) var leftSplices: Set<String> = []

        package init() {}
    }

    private struct Known {
        let start: WallTime
        var isSpliceOut: Bool
        /// End of the furthest version that listed it.
        var endMediaSequence: UInt64
        var laterStart: WallTime?
    }

    private static let limit = 512

    /// Edges that disagree about a break's start do not reuse its ID.
    private static let segmentsWithout: UInt64 = 2

    private var known: [String: Known] = [:]
    private var order: [String] = []

    package init() {}

    /// Returns what was known before.
    package mutating func note(_ playlist: MediaPlaylist) -> Earlier {
        var earlier = Earlier()
        for range in playlist.dateRanges.prefix(Self.limit) {
            guard let start = range.startDate else { continue }
            let (end, isSpliceOut) = (playlist.endMediaSequence, range.scte35Out != nil)
            guard var first = known[range.id] else {
                if order.count >= Self.limit { known[order.removeFirst()] = nil }
                known[range.id] = Known(start: start, isSpliceOut: isSpliceOut, endMediaSequence: end)
                order.append(range.id)
                continue
            }
            if first.isSpliceOut, !isSpliceOut, range.scte35In != nil { earlier.leftSplices.insert(range.id) }
            let hadLeft = end >= first.endMediaSequence.addingReportingOverflow(Self.segmentsWithout).partialValue
            if first.start == start {
                first.isSpliceOut = first.isSpliceOut || isSpliceOut
            } else if first.laterStart == start || hadLeft {
                first.laterStart = start
                earlier.starts[range.id] = first.start
            }
            first.endMediaSequence = max(end, first.endMediaSequence)
            known[range.id] = first
        }
        return earlier
    }
}
