package import HLS

struct CueMark {
    struct Place: Hashable {
        let kind: CueTag.Kind
        /// Each family of tags is tracked separately.
        let dialect: StitchedBreak.Dialect
        /// Number of the segment after it.
        let mediaSequence: UInt64
    }

    let place: Place
    let tag: CueTag
    let events: SpliceEvents
    /// Microseconds to the end of the playlist.
    let rest: Int64

    /// Breaks that begin together and two syntaxes of one dialect are one mark.
    ///
    /// `open`: the dialects whose breaks are open before the segment at index `first`.
    static func all(
        in playlist: MediaPlaylist,
        open: Set<StitchedBreak.Dialect> = [],
        from first: Int = 0
    ) -> [CueMark] {
        var marks: [CueMark] = []
        let cues = playlist.cues(open: open, from: first)
        var group = 0..<0
        var events: SpliceEvents = ([], [])
        for (position, (tag, index)) in cues.enumerated() {
            if position == group.upperBound {
                group = position..<(cues[position...].firstIndex { $0.segmentIndex != index } ?? cues.count)
                events = CueTag.events(of: cues[group].lazy.map { $0.tag })
            }
            guard tag.isPaired else { continue }
            let number = playlist.mediaSequence(at: index)
            let place = Place(kind: tag.kind, dialect: tag.dialect, mediaSequence: number)
            let start = index < playlist.segments.count ? playlist.segments[index].startOffsetMicroseconds : .max
            let rest = max(0, playlist.durationMicroseconds.subtractingClamped(start))
            let mark = CueMark(place: place, tag: tag, events: events, rest: rest)
            if let known = marks.indices.suffix(4).first(where: { marks[$0].place == place }) {
                if events.begun.count > 1, tag.isLonger(than: marks[known].tag) { marks[known] = mark }
            } else {
                marks.append(mark)
            }
        }
        return marks
    }
}

typealias SpliceEvents = (begun: [SpliceEvent], ended: [SpliceEvent])

extension CueTag {
    /// Relation of a cue-out to an open one.
    enum Relation: Equatable {
        /// An equal length, none, or the rest of it.
        case consistent
        case otherLength(expected: String)
        /// Another event that lies inside of the open break.
        case inside
    }

    /// Nil if it begins another break; `event` compares its event with the open break's, which began `passed` before.
    func relation(to first: CueTag, after passed: Duration, event: SplicePhases.Comparison) -> Relation? {
        if event != .same { return lies(in: first, after: passed) ?? (event == .lower) ? .inside : nil }
        guard dialect == first.dialect, id == nil || first.id == nil || id == first.id,
            let whole = first.length.duration
        else { return nil }
        // A countdown may go on to the end.
        if let length = length.duration, !SpliceChecks.differ(length + passed, whole) { return .consistent }
        guard passed < whole - SpliceChecks.tolerance else { return nil }
        guard let length = length.duration, SpliceChecks.differ(length, whole) else { return .consistent }
        let (all, left) = (SpliceChecks.text(whole), SpliceChecks.text(whole - passed))
        return .otherLength(expected: "\(all) s as in the cue-out before it, or the \(left) s left of them")
    }

    /// Ads lie in placement opportunities, and splices in longer ones (SCTE 35 section 10.3.3).
    private func lies(in first: CueTag, after passed: Duration) -> Bool? {
        func length(_ tag: CueTag) -> Duration? {
            tag.length.duration ?? tag.section.flatMap { SpliceSection(text: $0)?.lengths.max() }
        }
        return length(first).map { passed + (length(self) ?? .zero) <= $0 + SpliceChecks.tolerance }
    }

    func isLonger(than other: CueTag) -> Bool { length.duration ?? .zero > other.length.duration ?? .zero }
}

/// Breaks may lie in each other, and events alone distinguish their ends.
///
/// `others` counts the splices out inside of the last break whose end may still come.
private enum SplicePhase: Hashable, Sendable {
    case unknown
    case open(SpliceEvent?, inner: [SpliceEvent], others: Int)
    case closed([SpliceEvent], others: Int)

    private static let keptEvents = 8

    static func begun(_ events: [SpliceEvent]) -> SplicePhase {
        .open(events.first, inner: Array(events.dropFirst().prefix(keptEvents)), others: max(0, events.count - 1))
    }

    mutating func hold(_ events: [SpliceEvent]) {
        guard case .open(let outer, var inner, let others) = self else { return }
        let added = events.filter { $0 != outer && !inner.contains($0) }
        guard events.isEmpty || !added.isEmpty else { return }
        inner += added.prefix(max(0, Self.keptEvents - inner.count))
        self = .open(outer, inner: inner, others: min(others + max(1, added.count), Self.keptEvents))
    }

    /// Returns whether that is impossible.
    mutating func end(_ events: [SpliceEvent]) -> Bool {
        switch self {
        case .open(let outer, let inner, let others):
            let isOuter = outer.map(events.contains) ?? false
            let rest = inner.filter { !events.contains($0) }
            if !isOuter, rest.count < inner.count {
                self = .open(outer, inner: rest, others: max(0, others - inner.count + rest.count))
            } else {
                self = .closed(events, others: (isOuter ? 0 : others) + Self.held(events))
            }
            return false
        case .unknown:
            self = .closed(events, others: Self.held(events))
            return false
        case .closed(let last, let others):
            self = .closed(events, others: max(0, others - 1))
            return others == 0 && (events.isEmpty || last.isEmpty || !Set(events).isDisjoint(with: last))
        }
    }

    /// Returns whether that is impossible.
    mutating func goOn() -> Bool {
        switch self {
        case .open: return false
        case .unknown: self = .open(nil, inner: [], others: 0)
        case .closed(_, let others):
            self = .open(nil, inner: [], others: max(0, others - 1))
            return others == 0
        }
        return false
    }

    /// A break may go on behind its ad, although its begin was not listed.
    private static func held(_ events: [SpliceEvent]) -> Int { events.contains { $0.level == 1 } ? 1 : 0 }
}

/// Phases of breaks by cue tags, unknown before a dialect's first tag.
///
/// A splice_info_section may begin an ad inside of a break: those of splice points are not pairs.
struct SplicePhases: Hashable, Sendable {
    private var phases: [StitchedBreak.Dialect: SplicePhase] = [:]
    private var ending: Set<StitchedBreak.Dialect> = []

    func isOpen(_ dialect: StitchedBreak.Dialect) -> Bool { if case .open = phases[dialect] { true } else { false } }

    /// Whether other breaks may be open inside of the open one.
    func isNested(_ dialect: StitchedBreak.Dialect) -> Bool {
        if case .open(_, _, let others) = phases[dialect] { others > 0 } else { false }
    }

    var openDialects: Set<StitchedBreak.Dialect> { Set(phases.keys.filter(isOpen)) }

    func endsByTag(_ dialect: StitchedBreak.Dialect) -> Bool { ending.contains(dialect) }

    enum Comparison {
        /// Also for unknown events.
        case same
        case other
        /// Another event of a lower level, such as an ad in a break.
        case lower
    }

    /// Compares the events of a splice out with that of the open break.
    func compare(_ events: [SpliceEvent], _ dialect: StitchedBreak.Dialect) -> Comparison {
        guard case .open(let outer?, _, _) = phases[dialect], let own = events.first, !events.contains(outer) else {
            return .same
        }
        guard let level = own.level, let known = outer.level else { return .other }
        return level < known ? .lower : .other
    }

    typealias Contradiction = (expected: String, observed: String, likely: String)

    /// Adobe's breaks end by themselves.
    func needsEnd(_ dialect: StitchedBreak.Dialect) -> Bool {
        dialect == .cueTags || dialect != .adobeCues && endsByTag(dialect)
    }

    /// `relation` is that of a splice out to the open one.
    mutating func take(_ tag: CueTag, _ events: SpliceEvents, _ relation: CueTag.Relation? = nil) -> Contradiction? {
        guard tag.isPaired else { return nil }
        let dialect = tag.dialect
        var phase = phases[dialect] ?? .unknown
        defer { phases[dialect] = phase }
        switch (tag.kind, relation) {
        case (.section, _): return nil
        case (.out, .consistent?) where isOpen(dialect): return nil
        case (.out, .inside?) where isOpen(dialect), (.out, .otherLength?) where isOpen(dialect):
            phase.hold(events.begun)
            return nil
        case (.out, _):
            phase = .begun(events.begun)
            // Adobe's SpliceOut needs SpliceIn only where it has no length, or to return early (TVSDK).
            guard isOpen(dialect), endsByTag(dialect), dialect != .adobeCues else { return nil }
            return (
                "a splice in after the splice out before it", "another splice out",
                "The cue-in between the two was lost between encoder and packager."
            )
        case (.more, _):
            guard phase.goOn() else { return nil }
            return (
                "a splice out before it", "the middle of a splice",
                "The cue-in came before its time, or the cue-out of this break was lost."
            )
        case (.in, _):
            ending.insert(dialect)
            guard phase.end(events.ended) else { return nil }
            return (
                "a splice out before it", "a splice in",
                "The cue-in is repeated, or the cue-out between the two was lost."
            )
        }
    }
}

/// State at the end of a version of a playlist.
package struct SpliceState: Hashable, Sendable {
    private struct Open: Hashable, Sendable {
        let tag: CueTag
        let mediaSequence: UInt64
        var length: Duration?
        /// Microseconds since its begin.
        var passed: Int64
        var isContinued = false
        var isTold = false
    }

    private typealias Marks = (before: [CueMark], after: [CueMark])

    private var phases = SplicePhases()
    private var open: Open?

    /// The state before the version's first tag is unknown.
    package init(reading playlist: MediaPlaylist) {
        for mark in CueMark.all(in: playlist) where mark.place.mediaSequence < playlist.endMediaSequence {
            _ = take(mark)
        }
    }

    mutating func follow(_ pair: VersionPair, _ result: inout VersionTransition) {
        let after = CueMark.all(in: pair.next, open: phases.openDialects, from: pair.firstAdded)
        let marks = (before: CueMark.all(in: pair.previous), after: after)
        if let passed = open?.passed { open?.passed = passed.addingClamped(pair.addedMicroseconds) }
        checkListed(marks, pair, &result)
        checkLate(marks, pair, &result)
        for mark in after {
            let number = mark.place.mediaSequence
            guard number >= pair.previous.endMediaSequence, number < pair.next.endMediaSequence,
                let problem = take(mark)
            else { continue }
            let observed = "\(problem.observed) before segment \(number)"
            result.add(Violation(.cueUnclear, expected: problem.expected, observed: observed, likely: problem.likely))
        }
        checkOpen(pair, &result)
    }

    private mutating func take(_ mark: CueMark) -> SplicePhases.Contradiction? {
        let (tag, number) = (mark.tag, mark.place.mediaSequence)
        let relation = tag.kind == .out ? relation(of: mark) : nil
        let problem = phases.take(tag, mark.events, relation)
        switch tag.kind {
        case .section: return nil
        case .in: if !phases.isOpen(tag.dialect) { open = nil }
        case .more:
            open?.isContinued = true
            if open?.length == nil { open?.length = tag.length.duration }
        case .out:
            if let known = open, known.mediaSequence == number, known.length != nil { return problem }
            switch relation {
            case .consistent, .inside: return nil
            case .otherLength(let expected):
                let length = tag.length.duration.map(SpliceChecks.text) ?? "unknown"
                return ("a length of " + expected, "a cue-out of \(length) s", SpliceChecks.insideAlone)
            case nil: open = Open(tag: tag, mediaSequence: number, length: tag.length.duration, passed: mark.rest)
            }
        }
        return problem
    }

    private func relation(of mark: CueMark) -> CueTag.Relation? {
        guard let open else { return nil }
        let passed = Duration.microseconds(open.passed.subtractingClamped(mark.rest))
        let event = phases.compare(mark.events.begun, mark.tag.dialect)
        return passed > .zero ? mark.tag.relation(to: open.tag, after: passed, event: event) : nil
    }

    private mutating func checkListed(_ marks: Marks, _ pair: VersionPair, _ result: inout VersionTransition) {
        let listed = Dictionary(marks.after.map { ($0.place, $0.tag.length) }) { first, _ in first }
        let first = pair.next.mediaSequence(at: 0)
        for mark in marks.before where mark.place.kind == .out {
            let number = mark.place.mediaSequence
            guard number < pair.next.endMediaSequence else { continue }
            if let known = mark.tag.length.duration, let found = listed[mark.place]?.duration {
                // A packager may count down the rest of a break.
                guard SpliceChecks.differ(known, found),
                    SpliceChecks.differ(known, found + .microseconds(pair.addedMicroseconds))
                else { continue }
                let (old, new) = (SpliceChecks.text(known), SpliceChecks.text(found))
                let expected = "the \(old) s of the cue-out before segment \(number) unchanged"
                let observed = "now \(new) s; players that read it earlier use \(old) s"
                let likely = "The break was extended or cut short after its cue-out."
                result.add(Violation(.cueUnclear, expected: expected, observed: observed, likely: likely))
            } else if number > first, listed[mark.place] == nil {
                if open?.mediaSequence == number { open = nil }
                let expected = "the splice out before segment \(number), as it was"
                let observed = "no splice out there, and no splice in"
                let likely = "The cue-out was taken back after it had been published."
                result.add(Violation(.spliceOrphaned, expected: expected, observed: observed, likely: likely))
            }
        }
    }

    /// A cue-out before a segment that was listed without one; the first segment may repeat the one that has left.
    private func checkLate(_ marks: Marks, _ pair: VersionPair, _ result: inout VersionTransition) {
        guard open == nil else { return }
        let known = Set(marks.before.lazy.filter { $0.place.kind == .out }.map(\.place.mediaSequence))
        let late = marks.after.first { mark in
            let number = mark.place.mediaSequence
            return mark.place.kind == .out && !known.contains(number) && number > pair.next.mediaSequence(at: 0)
                && number >= pair.previous.mediaSequence(at: 0) && number < pair.previous.endMediaSequence
        }
        guard let late else { return }
        let number = late.place.mediaSequence
        let expected = "the cue-out before segment \(number) in each version that lists the segment"
        let passed = late.rest.subtractingClamped(pair.addedMicroseconds).secondsText
        let observed = "added with the live edge \(passed) past it; players that read it before see no break"
        let likely = "The splice message reached the packager too late."
        result.add(Violation(.cueUnclear, expected: expected, observed: observed, likely: likely))
    }

    /// Reports a break once; a producer may want it to go on after its cue-out has left.
    private mutating func checkOpen(_ pair: VersionPair, _ result: inout VersionTransition) {
        guard let found = open, !found.isTold, !pair.next.hasEndList, phases.needsEnd(found.tag.dialect),
            found.mediaSequence < pair.next.mediaSequence(at: 0)
        else { return }
        let place = "the cue-out before segment \(found.mediaSequence)"
        let expected: String
        if let length = found.length?.wholeMicroseconds {
            guard SpliceChecks.isOver(length, by: found.passed, pair.targetMicroseconds, isContinued: found.isContinued)
            else { return }
            expected = "EXT-X-CUE-IN \(SecondsText.shortest(length)) s after \(place)"
        } else {
            guard !found.isContinued else { return }
            expected = "a length, EXT-X-CUE-OUT-CONT or EXT-X-CUE-IN for \(place), which has left the playlist"
        }
        // One violation of a code is kept: this one is reported with the next version.
        guard !result.violations.contains(where: { $0.code == .cueUnclear }) else { return }
        open?.isTold = true
        let effect = found.isContinued ? "" : ", and viewers that join now see no break"
        let observed = "no cue-in after \(found.passed.secondsText)\(effect)"
        result.add(Violation(.cueUnclear, expected: expected, observed: observed, likely: SpliceChecks.lostIn))
    }
}
