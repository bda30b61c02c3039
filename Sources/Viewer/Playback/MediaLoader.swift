import HLS
import Profile
import Rules
import Values

struct MediaLoader: Sendable {
    /// Nanoseconds ahead of the playhead.
    private static let bufferGoal: Int64 = 30_000_000_000
    /// As Media3 (HlsChunkSource, `KEY_CACHE_SIZE`); viewers of a live channel do not go back to older ones.
    private static let keptKeys = 4

    struct Circumstances {
        let playhead: Playhead
        /// Programme date at which playback starts; nil while it plays.
        let startsAt: WallTime?
        /// Dates of the version whose segments are loaded.
        let dates: CarriedDates
        let keys: KeysInHand
        /// Index of the rendition's requests.
        let index: UInt8
    }

    private enum Pending: UInt8, Sendable {
        case none
        case key
        case map
        case segment
        case part
        case hint
    }

    private enum Hint: Equatable, Sendable {
        /// Until one is requested, and once the playlist lists the hinted part.
        case none
        case asked(String)
        /// Answered with media; nil if the position was forgotten meanwhile.
        case held(String?)

        var isHeld: Bool { if case .held = self { true } else { false } }
    }

    private struct Item {
        let pending: Pending
        /// As written in the playlist.
        let reference: String
        /// Nil for a channel without dates.
        let beginsAt: WallTime?
        let endsAt: WallTime?
    }

    /// Media sequence number of the next segment; nil until the start point is known.
    private var sequence: UInt64?
    /// Index of the next part of that segment.
    private var part = 0
    private var pending = Pending.none
    private var failures: UInt8 = 0
    private var isFailing = false
    private var retryAt = Instant.distantPast
    /// As the playlist names it; another one is loaded before its segments.
    private var loadedMap: String?
    /// `isOfPart`: for a segment that is still being made.
    private var askedKey: (url: String, isOfPart: Bool)?
    /// Segment for which the newest key was loaded.
    private var keySequence: UInt64?
    /// Addresses of keys that this rendition has loaded, newest last.
    private(set) var keys: [String] = []
    private var hint = Hint.none
    /// Programme date at the end of what is loaded without a hole; nil without any, or without dates.
    private(set) var loadedEnd: WallTime?
    private var pendingEnd: WallTime?
    /// Programme date at which the segment begins that was asked for last.
    private(set) var pendingBegin: WallTime?
    /// When the awaited answer was whole that the viewer's line still carries.
    var onLineSince: Instant?
    /// Nanoseconds by which the viewer's line delayed answers since nothing was left to load.
    private(set) var lineDelay: Int64 = 0

    /// An open request does not move the new position.
    mutating func reset() {
        sequence = nil
        part = 0
        failures = 0
        hint = .none
        loadedEnd = nil
        pendingEnd = nil
    }

    /// Continues at the loaded end: sequence numbers of variants are not comparable (bis-22 section 6.3.4).
    mutating func moveToOtherPlaylist() {
        if loadedEnd != nil { sequence = nil }
        part = 0
        (pending, onLineSince) = (.none, nil)
        failures = 0
        hint = .none
        loadedMap = nil
    }

    /// Finds the next listed segment that is not a gap; false if all is loaded.
    private mutating func find(_ circumstances: Circumstances, _ turn: Turn) -> Bool {
        let dates = circumstances.dates
        let playlist = dates.shared.playlist
        let first = playlist.mediaSequence(at: 0)
        let end = playlist.endMediaSequence
        let wanted = sequence ?? startSequence(circumstances, turn)
        if wanted < first || sequence == nil { part = 0 }
        var candidate = max(wanted, first)
        defer { sequence = candidate }
        while candidate < end {
            let index = Int(clamping: candidate &- first)
            guard index < playlist.segments.count else { break }
            let isDone = part > 0 && playlist.part(part, ofSegment: index) == nil
            guard isDone || playlist.segments[index].isGap else { return true }
            moveEnd(to: dates.end(ofSegment: index))
            part = 0
            candidate &+= 1
        }
        return false
    }

    /// Index of the next segment; nil if the playlist does not list it.
    private func listed(in playlist: MediaPlaylist) -> Int? {
        guard let sequence, sequence >= playlist.mediaSequence(at: 0) else { return nil }
        let index = Int(clamping: sequence &- playlist.mediaSequence(at: 0))
        return playlist.segments.indices.contains(index) ? index : nil
    }

    private func next(_ dates: CarriedDates) -> Item? {
        let playlist = dates.shared.playlist
        guard let index = listed(in: playlist) else { return nil }
        let segment = playlist.segments[index]
        let begin = dates[index]
        if part > 0 || hint.isHeld, let part = playlist.part(part, ofSegment: index) {
            return item(part, in: playlist, begin: begin)
        }
        if let range = segment.mapURI {
            let map = playlist.string(in: range)
            if !map.isEmpty, map != loadedMap {
                return Item(pending: .map, reference: map, beginsAt: begin, endsAt: nil)
            }
        }
        let (reference, end) = (playlist.uri(of: segment), dates.end(ofSegment: index))
        return Item(pending: .segment, reference: reference, beginsAt: begin, endsAt: end)
    }

    /// Next part of the segment that is still being made.
    private func trailingPart(_ dates: CarriedDates) -> Item? {
        let playlist = dates.shared.playlist
        guard sequence == playlist.endMediaSequence else { return nil }
        return playlist.part(part, ofSegment: playlist.segments.count).map { item($0, in: playlist, begin: dates.end) }
    }

    private func item(_ listed: MediaPlaylist.PartialSegment, in playlist: MediaPlaylist, begin: WallTime?) -> Item {
        let before = playlist.parts.lazy.filter { $0.segmentIndex == listed.segmentIndex }.prefix(part + 1)
        let length = before.reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) }
        let end = begin.map { WallTime(microseconds: $0.microseconds.addingClamped(length)) }
        return Item(pending: .part, reference: playlist.string(in: listed.uri), beginsAt: begin, endsAt: end)
    }

    /// Advances past a part that is in hand because it was hinted at, and forgets the hint.
    private mutating func takesHinted(_ url: String) -> Bool {
        let isInHand = hint == .held(url)
        hint = .none
        if isInHand { advance(past: .part) }
        return isInHand
    }

    private mutating func advance(past pending: Pending) {
        // Reset meanwhile: the item belongs to another position.
        guard let current = sequence else { return }
        switch pending {
        case .none, .hint, .key, .map: return
        case .segment:
            sequence = current &+ 1
            part = 0
        case .part: part += 1
        }
        moveEnd(to: pendingEnd)
    }

    private mutating func moveEnd(to date: WallTime?) { if let date { loadedEnd = max(loadedEnd ?? date, date) } }

    /// Returns whether a download has begun; if it is too early, sets the timer.
    mutating func loadNext(_ circumstances: Circumstances, turn: inout Turn) -> Bool {
        guard pending == .none, retryAt <= turn.now else { return false }
        let dates = circumstances.dates
        while find(circumstances, turn) {
            guard let item = next(dates) else { return false }
            if let begin = item.beginsAt, let at = circumstances.playhead.instant(of: begin, turn.plan.timebase),
                at &- Self.bufferGoal > turn.now, !circumstances.playhead.isStopped
            {
                turn.schedule(.buffering, at: at &- Self.bufferGoal)
                lineDelay = 0
                return false
            }
            guard let url = URLReference.resolve(item.reference, against: dates.shared.url) else { return false }
            (pendingBegin, pendingEnd) = (item.beginsAt, item.endsAt)
            if let key = missingKey(circumstances, turn) {
                pendingEnd = dates.end(ofSegment: place(in: dates.shared.playlist))
                return load(key, isOfPart: false, circumstances, turn: &turn)
            }
            guard !takesHinted(url) else { continue }
            if item.pending == .map { loadedMap = item.reference }
            return download(item.pending, url: url, index: circumstances.index, turn: &turn)
        }
        lineDelay = 0
        return loadEdge(circumstances, turn: &turn)
    }

    /// Key of the next segment, unless it is in hand; players ask for keys of other systems and in other ways by themselves.
    private func missingKey(_ circumstances: Circumstances, _ turn: Turn) -> String? {
        let (shared, keys) = (circumstances.dates.shared, circumstances.keys)
        guard let uri = shared.playlist.keyURI(at: place(in: shared.playlist)),
            let url = URLReference.resolve(uri, against: shared.url), url.hasPrefix("http")
        else { return nil }
        let isHeld = keys.loaded.contains(url) && (turn.persona.keys != .segment || keySequence == sequence)
        return isHeld ? nil : url
    }

    /// Index of the next segment, or the segment count.
    private func place(in playlist: MediaPlaylist) -> Int {
        Int(clamping: (sequence ?? 0).subtractingClamped(playlist.mediaSequence(at: 0)))
    }

    /// Waits for another rendition that asks for the same key.
    private mutating func load(_ key: String, isOfPart: Bool, _ given: Circumstances, turn: inout Turn) -> Bool {
        guard !given.keys.underway.contains(key) else { return false }
        askedKey = (key, isOfPart)
        return download(.key, url: key, index: given.index, turn: &turn)
    }

    var keyUnderway: String? { pending == .key ? askedKey?.url : nil }

    /// Loads parts of the segment that is being made, and the part that the playlist hints at.
    private mutating func loadEdge(_ circumstances: Circumstances, turn: inout Turn) -> Bool {
        let (facts, shared) = (turn.persona.lowLatency, circumstances.dates.shared)
        guard facts.blocking != .never, shared.playlist.partTargetMicroseconds != nil else { return false }
        while let part = trailingPart(circumstances.dates) {
            guard let url = URLReference.resolve(part.reference, against: shared.url) else { return false }
            pendingEnd = part.endsAt
            if let key = missingKey(circumstances, turn) {
                return load(key, isOfPart: true, circumstances, turn: &turn)
            }
            guard !takesHinted(url) else { continue }
            return download(.part, url: url, index: circumstances.index, turn: &turn)
        }
        guard facts.loadsHints, hint == .none || hint == .held(nil),
            let next = shared.playlist.preloadHints.first(where: { $0.kind == .part && $0.byteRangeStart == 0 }),
            let url = URLReference.resolve(shared.playlist.string(in: next.uri), against: shared.url)
        else { return false }
        hint = .asked(url)
        return download(.hint, url: url, index: circumstances.index, turn: &turn)
    }

    private mutating func download(_ what: Pending, url: String, index: UInt8, turn: inout Turn) -> Bool {
        pending = what
        if isFailing { turn.count(.retries) }
        let isPart = what == .part || what == .hint
        let role: ViewerRole = what == .key ? .key : isPart ? .part : .segment
        turn.fetch(role, url: url, plannedAt: turn.now, index: index)
        return true
    }

    /// Returns whether a segment or part came into hand; `failure` is nil on success.
    mutating func finished(_ failure: LoadFailure?, of shared: SharedPlaylist?, turn: inout Turn) -> Bool {
        let finished = pending
        pending = .none
        if let since = onLineSince.take() { lineDelay = lineDelay.addingClamped(turn.now &- since) }
        if finished == .hint {
            turn.count(failure == nil ? .hintsUsed : .hintsGone)
            if failure == nil { hint = if case .asked(let url) = hint { .held(url) } else { .held(nil) } }
            return false
        }
        guard let failure else {
            failures = 0
            isFailing = false
            if finished == .key, let askedKey {
                keys = keys.suffix(Self.keptKeys - 1) + [askedKey.url]
                keySequence = sequence
            }
            advance(past: finished)
            return finished == .segment || finished == .part
        }
        isFailing = true
        failures = failures == .max ? .max : failures + 1
        if let wait = wait(after: failure, of: shared, turn: &turn) {
            if finished == .map { loadedMap = nil }
            retryAt = turn.now.later(by: wait)
            if wait > 0 { turn.schedule(.retry, at: retryAt) }
            return false
        }
        // Playback jumps over the hole.
        failures = 0
        advance(past: finished != .key ? finished : askedKey?.isOfPart == true ? .part : .segment)
        return false
    }

    /// Programme dates of the segment whose request is open; nil for other media, an unlisted segment, and without dates.
    func openSegment(in playlist: MediaPlaylist, _ dates: CarriedDates) -> Range<WallTime>? {
        guard pending == .segment, let index = listed(in: playlist), let begin = dates[index],
            let end = dates.end(ofSegment: index), begin < end
        else { return nil }
        return begin..<end
    }

    /// Nanoseconds before the retry; nil for no retry.
    private mutating func wait(after failure: LoadFailure, of shared: SharedPlaylist?, turn: inout Turn) -> Int64? {
        let facts = turn.playerFacts
        let rule = facts.segment(hasParts: shared?.hasParts ?? false)
        if let wait = rule.wait(after: failure, failures: failures, chance: &turn.chance) { return wait }
        guard facts.persona.outage.segment == .askOn else { return nil }
        failures = 0
        return facts.persona.outage.segmentPause?.nanosecondsHeld ?? (shared?.targetNanoseconds ?? 2_000_000_000) / 2
    }

    /// Whether the open request is for a segment, or its initialisation section, that is still listed.
    ///
    /// The newest version in hand came at `changedAt` and may be old, so it counts only for as long as the segments up to this
    /// one last.
    func awaitsListedSegment(of shared: SharedPlaylist, since changedAt: Instant, at now: Instant) -> Bool {
        guard [.segment, .map, .key].contains(pending), let index = listed(in: shared.playlist) else { return false }
        guard shared.isReloaded else { return true }
        let segments = shared.playlist.segments[...index]
        let reach = segments.reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) }
        return now <= changedAt.later(by: min(reach, 86_400_000_000) &* 1_000)
    }

    private func startSequence(_ circumstances: Circumstances, _ turn: Turn) -> UInt64 {
        let shared = circumstances.dates.shared
        let playlist = shared.playlist
        let date =
            loadedEnd ?? circumstances.startsAt
            ?? circumstances.playhead.latency.map { turn.plan.timebase.wall(at: turn.now.earlier(by: $0)) }
        if let date, let index = circumstances.dates.segment(at: date) { return playlist.mediaSequence(at: index) }
        let persona = turn.persona
        var rest = shared.startDistance(persona.start, isLowLatency: persona.lowLatency.blocking != .never) / 1000
        var index = playlist.segments.count
        while index > 0, rest > 0 {
            index -= 1
            rest &-= playlist.segments[index].durationMicroseconds
        }
        return playlist.mediaSequence(at: index)
    }
}

extension MediaPlaylist {
    fileprivate func part(_ number: Int, ofSegment index: Int) -> PartialSegment? {
        parts.lazy.filter { $0.segmentIndex == index && !$0.isGap }.dropFirst(number).first
    }
}
