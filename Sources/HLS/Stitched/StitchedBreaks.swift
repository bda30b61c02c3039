/// The stitched breaks of one media playlist, collected from version to version.
package struct StitchedBreaks: Hashable, Sendable {
    /// In the order in which they were first seen.
    package internal(set) var breaks: [StitchedBreak] = []
    var unmarked = UnmarkedAds()

    /// Tags of several dialects may express the same moment.
    private static let tolerance = Duration.seconds(1)
    /// Half a frame and the rounding of dates.
    private static let dateRounding = Duration.milliseconds(20)

    /// Above any playlist's number of breaks; each costs a search through the others.
    private static let keptBreaks = 256

    package init() {}

    /// Needs the merged playlist of a delta update; the first mark of a break determines the key.
    ///
    /// `isAd` classifies a segment by its address; with nil only marks count.
    package mutating func read(_ playlist: MediaPlaylist, isAd: ((String) -> Bool)? = nil) {
        // Breaks that never ended must leave room for those of a whole version.
        breaks.removeFirst(max(0, breaks.count - Self.keptBreaks))
        readDateRanges(playlist)
        readTags(playlist)
        if let isAd { readAddresses(playlist, isAd) }
        let first = playlist.mediaSequence(at: 0)
        breaks.removeAll { found in
            guard found.isEnded, found.mediaSequences.upperBound <= first else { return false }
            // A break stays as long as its date range is listed, so that it is not found anew.
            return found.dialect != .dateRanges || !playlist.dateRanges.contains { $0.id == found.key }
        }
    }

    var hasRoom: Bool { breaks.count < 2 * Self.keptBreaks }

    private mutating func readDateRanges(_ playlist: MediaPlaylist) {
        var spans: [Span]?
        for range in playlist.dateRanges where range.scte35Out != nil || range.isStitchedAd {
            guard range.classAttribute != Interstitial.classAttribute, let start = range.startDate else { continue }
            let index: Int
            if let known = breaks.firstIndex(where: { $0.dialect == .dateRanges && $0.key == range.id }) {
                index = known
            } else if !hasRoom || isMarked(start, byDateRange: false) {
                continue
            } else if range.scte35Out != nil, isMarked(start, byDateRange: true) {
                // Another segmentation of the same break.
                continue
            } else if Self.isHeld(range, from: start, by: &spans, playlist) {
                continue
            } else {
                breaks.append(Self.begun(range, start: start, playlist))
                index = breaks.count - 1
            }
            Self.update(&breaks[index], with: range, start: start, playlist)
        }
    }

    private struct Span {
        let id: String
        let start: WallTime
        let end: WallTime?
        let level: Int
    }

    /// Compares segmentation types; `spans` are read once.
    private static func isHeld(
        _ range: DateRange,
        from start: WallTime,
        by spans: inout [Span]?,
        _ playlist: MediaPlaylist
    ) -> Bool {
        guard let own = level(of: range) else { return false }
        let outer = spans ?? Self.spans(of: playlist)
        spans = outer
        return outer.contains { span in
            span.id != range.id && own < span.level && span.start <= start + tolerance
                && span.end.map { start + tolerance < $0 } ?? true
        }
    }

    private static func spans(of playlist: MediaPlaylist) -> [Span] {
        playlist.dateRanges.prefix(keptBreaks).compactMap { range in
            guard let start = range.startDate, let level = level(of: range), level > 1 else { return nil }
            return Span(id: range.id, start: start, end: range.expectedEndDate, level: level)
        }
    }

    private static func level(of range: DateRange) -> Int? {
        range.scte35Out.flatMap { SpliceSection(text: $0)?.outermost?.level }
    }

    private func isMarked(_ start: WallTime, byDateRange: Bool) -> Bool {
        breaks.contains { found in
            (found.dialect == .dateRanges) == byDateRange && found.startDate.map { Self.areNear($0, start) } ?? false
        }
    }

    private static func areNear(_ left: WallTime, _ right: WallTime) -> Bool {
        areNear(left.duration(since: right), .zero)
    }

    private static func begun(_ range: DateRange, start: WallTime, _ playlist: MediaPlaylist) -> StitchedBreak {
        let inside = playlist.segments.indices.first { index in
            playlist.programDate(at: index).map { $0 + Self.dateRounding >= start } ?? false
        }
        var found = StitchedBreak(
            key: range.id,
            dialect: .dateRanges,
            startDate: start,
            firstMediaSequence: playlist.mediaSequence(at: inside ?? playlist.segments.count)
        )
        found.scte35 = range.scte35Out
        let firstDate = playlist.programDate(at: 0)
        found.isJoinedInTheMiddle = firstDate.map { $0 > start + Self.dateRounding } ?? false
        return found
    }

    /// The planned end limits the break until the actual end is known (bis-22 section 4.4.5.1.1).
    private static func update(
        _ found: inout StitchedBreak,
        with range: DateRange,
        start: WallTime,
        _ playlist: MediaPlaylist
    ) {
        found.plannedDuration = range.plannedDuration ?? found.plannedDuration ?? range.duration
        let known = range.knownEndDate
        let end = known ?? found.plannedDuration.map { start + $0 }
        for index in playlist.segments.indices {
            guard let date = playlist.programDate(at: index), date + Self.dateRounding >= start else { continue }
            if let end, date + Self.dateRounding >= end { break }
            Self.append(index, to: &found, playlist)
        }
        if let known, let edge = playlist.endProgramDate, edge + Self.dateRounding >= known {
            found.isEnded = true
            found.endDate = known
        }
    }

    private mutating func readTags(_ playlist: MediaPlaylist) {
        let cues = playlist.cues()
        let first = playlist.mediaSequence(at: 0)
        var current = going(on: first) { $0.firstMediaSequence < first }
        guard !cues.isEmpty || current != nil else { return }
        var next = 0
        for index in 0...playlist.segments.count {
            var section: String?
            var isContinued = false
            while next < cues.count, cues[next].segmentIndex == index {
                let cue = cues[next].tag
                next += 1
                // The section of a break is that of its beginning.
                if cue.kind == .section || cue.kind == .out { section = cue.section ?? section }
                if cue.kind == .more || cue.kind == .out { isContinued = true }
                current = apply(cue, at: index, current, playlist)
            }
            if let section, let current {
                breaks[current].scte35 = section
                if breaks[current].plannedDuration == nil {
                    breaks[current].plannedDuration = SpliceSection(text: section)?.lengths.first
                }
            }
            guard index < playlist.segments.count, let open = current else { continue }
            guard !Self.endsByPlan(breaks[open], at: index, isContinued: isContinued, playlist) else {
                end(open, at: index, playlist)
                current = nil
                continue
            }
            Self.append(index, to: &breaks[open], playlist)
        }
    }

    /// The last break of tags that goes on at a segment.
    private func going(on sequence: UInt64, where hasBegun: (StitchedBreak) -> Bool) -> Int? {
        breaks.lastIndex { found in
            found.dialect.isOfTags && hasBegun(found)
                && (!found.isEnded || sequence < found.mediaSequences.upperBound)
        }
    }

    /// A discontinuity after the planned duration ends a break without an end tag, and Adobe's without a discontinuity.
    ///
    /// Adobe's EXT-X-CUE-CONT stands before every segment of a break, and has no length (Primetime's legacy cue format).
    private static func endsByPlan(
        _ found: StitchedBreak,
        at index: Int,
        isContinued: Bool,
        _ playlist: MediaPlaylist
    ) -> Bool {
        guard playlist.mediaSequence(at: index) >= found.mediaSequences.upperBound else { return false }
        // Its segments are still listed, and so are the tags inside of it.
        if found.isEnded { return true }
        guard let planned = found.plannedDuration else {
            return found.dialect == .adobeCues && found.isContinuedByTags && !isContinued
        }
        if found.dialect == .adobeCues, let start = found.startDate, let date = playlist.programDate(at: index) {
            return date + Self.tolerance / 2 >= start + planned
        }
        guard playlist.segments[index].isDiscontinuity || found.dialect == .adobeCues, !found.isJoinedInTheMiddle else {
            return false
        }
        return found.listedDuration + Self.tolerance / 2 >= planned
    }

    private mutating func apply(_ tag: CueTag, at index: Int, _ current: Int?, _ playlist: MediaPlaylist) -> Int? {
        switch tag.kind {
        case .section:
            return current
        case .in:
            if let current {
                if Self.isInside(tag, of: breaks[current]) { return current }
                let passed = Self.passed(of: breaks[current], at: index, playlist)
                if let inner = breaks[current].innerEnd, let passed, Self.areNear(passed, inner) { return current }
                end(current, at: index, playlist)
            }
            return nil
        case .more:
            let open = current ?? join(tag, at: index, playlist)
            if let open {
                if breaks[open].plannedDuration == nil { breaks[open].plannedDuration = tag.length.duration }
                breaks[open].isContinuedByTags = true
            }
            return open
        case .out:
            if let current {
                if Self.isInside(tag, of: breaks[current]) { return current }
                if breaks[current].firstMediaSequence != playlist.mediaSequence(at: index) {
                    if holds(tag, in: current, at: index, playlist) { return current }
                    end(current, at: index, playlist)
                }
            }
            let open = begin(tag.dialect, at: index, playlist)
            if let open { mark(open, by: tag) }
            return open
        }
    }

    /// Whether a section marks an ad of the break, or what other tags mark themselves.
    private static func isInside(_ tag: CueTag, of open: StitchedBreak) -> Bool {
        let areTyped = tag.dialect == .scte35Tags && open.dialect == .scte35Tags
        guard tag.dialect == .splicePoints || areTyped else { return false }
        guard let own = tag.level, let other = open.level else {
            return tag.dialect == .splicePoints && open.dialect != .splicePoints
        }
        return own < other
    }

    /// Whether a cue-out repeats the open break, perhaps with what is left of it, or marks an ad inside of it.
    private mutating func holds(_ tag: CueTag, in open: Int, at index: Int, _ playlist: MediaPlaylist) -> Bool {
        let found = breaks[open]
        guard tag.dialect == found.dialect, tag.id == nil || found.cueID == nil || tag.id == found.cueID,
            let whole = found.plannedDuration, let passed = Self.passed(of: found, at: index, playlist),
            passed + Self.tolerance < whole
        else { return false }
        guard let length = tag.length.duration, !Self.areNear(length, whole) else {
            return tag.section == nil || found.scte35 == nil || tag.section == found.scte35
        }
        let end = passed + length
        guard end <= whole + Self.tolerance else { return false }
        if end + Self.tolerance < whole { breaks[open].innerEnd = end }
        return true
    }

    /// Nil for a break whose beginning was not seen and has no date.
    private static func passed(of found: StitchedBreak, at index: Int, _ playlist: MediaPlaylist) -> Duration? {
        if found.isJoinedInTheMiddle {
            guard let start = found.startDate, let date = startDate(at: index, playlist) else { return nil }
            return date.duration(since: start)
        }
        let sequence = playlist.mediaSequence(at: index)
        let listed = found.segments.lazy.filter { $0.mediaSequence < sequence }.map(\.durationMicroseconds)
        return .microseconds(listed.reduce(Int64(0)) { $0.addingClamped($1) })
    }

    private static func areNear(_ left: Duration, _ right: Duration) -> Bool {
        left - right <= tolerance && right - left <= tolerance
    }

    private mutating func mark(_ open: Int, by tag: CueTag) {
        guard !Self.isInside(tag, of: breaks[open]) else { return }
        breaks[open].plannedDuration = tag.length.duration ?? breaks[open].plannedDuration
        if case .unreadable = tag.length { breaks[open].hasUnreadableLength = true }
        breaks[open].cueID = tag.id ?? breaks[open].cueID
        if tag.dialect == .scte35Tags, let level = tag.level {
            breaks[open].level = max(breaks[open].level ?? 0, level)
        }
        // A break that other tags mark as well ends by them.
        if breaks[open].dialect == .adobeCues || breaks[open].dialect == .splicePoints {
            breaks[open].dialect = tag.dialect
            breaks[open].level = tag.level
        }
    }

    /// Nil if a date range marks the break.
    private mutating func begin(_ dialect: StitchedBreak.Dialect, at index: Int, _ playlist: MediaPlaylist) -> Int? {
        let sequence = playlist.mediaSequence(at: index)
        let known = breaks.firstIndex { $0.dialect.isOfTags && $0.firstMediaSequence == sequence }
        if let known { return known }
        let date = Self.startDate(at: index, playlist)
        guard hasRoom, !(date.map { isMarked($0, byDateRange: true) } ?? false) else { return nil }
        return add(dialect, from: date, at: sequence)
    }

    private mutating func join(_ tag: CueTag, at index: Int, _ playlist: MediaPlaylist) -> Int? {
        let sequence = playlist.mediaSequence(at: index)
        if let known = going(on: sequence, where: { $0.firstMediaSequence <= sequence }) { return known }
        let date = Self.startDate(at: index, playlist)
        let start = date.map { $0 - (tag.elapsed ?? .zero) }
        // Tags may continue a break that has ended by its plan for a moment more.
        let isOver = breaks.contains { found in
            guard found.dialect.isOfTags, found.isEnded, let begun = found.startDate, let start else { return false }
            return Self.areNear(begun, start)
        }
        guard hasRoom, !isOver, !isInsideOfDateRange(date) else { return nil }
        let joined = add(tag.dialect, from: start, at: sequence)
        breaks[joined].isJoinedInTheMiddle = true
        breaks[joined].level = tag.level
        return joined
    }

    mutating func add(_ dialect: StitchedBreak.Dialect, from start: WallTime?, at sequence: UInt64) -> Int {
        breaks.append(
            StitchedBreak(
                key: start?.iso8601 ?? "msn-\(sequence)",
                dialect: dialect,
                startDate: start,
                firstMediaSequence: sequence
            )
        )
        return breaks.count - 1
    }

    static func startDate(at index: Int, _ playlist: MediaPlaylist) -> WallTime? {
        index < playlist.segments.count ? playlist.programDate(at: index) : playlist.endProgramDate
    }

    private func isInsideOfDateRange(_ date: WallTime?) -> Bool {
        guard let date else { return false }
        return breaks.contains { found in
            guard found.dialect == .dateRanges, let start = found.startDate, start <= date + Self.tolerance else {
                return false
            }
            let end = found.endDate ?? found.plannedDuration.map { start + $0 }
            return end.map { date < $0 } ?? true
        }
    }

    mutating func end(_ open: Int, at index: Int, _ playlist: MediaPlaylist) {
        guard !breaks[open].isEnded else { return }
        breaks[open].isEnded = true
        breaks[open].endDate = Self.startDate(at: index, playlist)
    }

    static func append(_ index: Int, to found: inout StitchedBreak, _ playlist: MediaPlaylist) {
        let sequence = playlist.mediaSequence(at: index)
        guard sequence >= found.mediaSequences.upperBound else { return }
        let segment = playlist.segments[index]
        found.append(
            StitchedBreak.AdSegment(
                mediaSequence: sequence,
                uri: playlist.uri(of: segment),
                discontinuitySequence: segment.discontinuitySequence,
                durationMicroseconds: segment.durationMicroseconds
            )
        )
    }

    /// Leaves out a run whose beginning was not listed: viewers that joined at other moments would give it another key.
    mutating func readAddresses(_ playlist: MediaPlaylist, _ isAd: (String) -> Bool) {
        let (first, end) = (playlist.mediaSequence(at: 0), playlist.mediaSequence(at: playlist.segments.count))
        var current = breaks.lastIndex { $0.dialect == .addresses && !$0.isEnded }
        // Segments were missed, or the numbering has restarted.
        if first > unmarked.next || end < unmarked.next {
            if let current { self.end(current, at: 0, playlist) }
            current = nil
            unmarked = UnmarkedAds(next: first)
        }
        for index in playlist.segments.indices where playlist.mediaSequence(at: index) >= unmarked.next {
            let isRun = isAd(playlist.uri(of: playlist.segments[index])) && !isMarked(playlist.mediaSequence(at: index))
            if isRun, current == nil, unmarked.followsProgramme, hasRoom {
                let date = Self.startDate(at: index, playlist)
                current = add(.addresses, from: date, at: playlist.mediaSequence(at: index))
            }
            if isRun, let current {
                Self.append(index, to: &breaks[current], playlist)
            } else if !isRun, let open = current {
                self.end(open, at: index, playlist)
                current = nil
            }
            unmarked.followsProgramme = !isRun
        }
        unmarked.next = end
    }

    private func isMarked(_ sequence: UInt64) -> Bool {
        breaks.contains { $0.dialect != .addresses && $0.mediaSequences.contains(sequence) }
    }
}

extension StitchedBreak.Dialect {
    fileprivate var isOfTags: Bool { self != .dateRanges && self != .addresses }
}

struct UnmarkedAds: Hashable, Sendable {
    var next: UInt64 = 0
    /// Only after a segment of the programme does a break begin for all viewers alike.
    var followsProgramme = false
}
