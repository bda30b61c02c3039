import HLS

/// How far a viewer has loaded one rendition's segments.
struct MediaLoader: Sendable {
    enum Pending: UInt8, Sendable {
        case none
        case map
        case segment
        case part
        case hint
    }

    /// Something to download.
    struct Item {
        let pending: Pending
        /// As the playlist spells it.
        let reference: String
        /// Dates of the programme; nil where the channel has none.
        let beginsAt: WallTime?
        let endsAt: WallTime?
    }

    /// Media sequence number of the segment to load next; nil until the start point is known.
    private(set) var sequence: UInt64?
    /// Of that segment, the part to load next; 0 where the segment is not begun.
    private(set) var part = 0
    var pending = Pending.none
    /// Requests in a row that failed.
    var failures: UInt8 = 0
    /// Not before this moment is a failed request made again.
    var retryAt: Int64 = .min
    /// The initialisation section in hand, as the playlist names it; another one is loaded before its segments.
    var loadedMap = ""
    /// The preload hint that was asked for, resolved; empty when the playlist has listed what it hinted at.
    var hint = ""
    /// True when that hint was answered with media.
    var holdsHint = false
    /// End of what is loaded without a hole, as a date of the programme in microseconds; `.min` where nothing is, or
    /// where the channel has no dates.
    private(set) var loadedEnd: Int64 = .min
    /// What `loadedEnd` will be when the request under way is answered.
    var pendingEnd: Int64 = .min

    /// Forgets its place, to begin again where the playhead is; a request under way does not move it any more.
    mutating func reset() {
        self.sequence = nil
        self.part = 0
        self.failures = 0
        self.hint = ""
        self.holdsHint = false
        self.loadedEnd = .min
        self.pendingEnd = .min
    }

    /// Goes on in another variant from where loading has come: sequence numbers of variants are not comparable
    /// (bis-22 section 6.3.4).
    mutating func moveToOtherPlaylist() {
        if self.loadedEnd != .min { self.sequence = nil }
        self.part = 0
        self.pending = .none
        self.failures = 0
        self.hint = ""
        self.holdsHint = false
        self.loadedMap = ""
    }

    /// Finds the next segment that is listed and no gap; false when all that is listed is loaded.
    ///
    /// `start` gives the media sequence number of the first segment to load, from the end of what is loaded.
    mutating func find(in playlist: MediaPlaylist, from start: (Int64) -> UInt64) -> Bool {
        let first = playlist.mediaSequence(at: 0)
        let end = playlist.endMediaSequence
        let wanted = self.sequence ?? start(self.loadedEnd)
        if wanted < first || self.sequence == nil { self.part = 0 }
        var sequence = max(wanted, first)
        while sequence < end {
            let index = Int(clamping: sequence &- first)
            guard index < playlist.segments.count else { break }
            let isDone = self.part > 0 && playlist.part(self.part, ofSegment: index) == nil
            guard isDone || playlist.segments[index].isGap else {
                self.sequence = sequence
                return true
            }
            self.moveEnd(to: playlist.endDate(ofSegment: index))
            self.part = 0
            sequence &+= 1
        }
        self.sequence = sequence
        return false
    }

    /// What is to be loaded of the segment that was found.
    func next(in playlist: MediaPlaylist) -> Item? {
        guard let sequence = self.sequence else { return nil }
        let index = Int(clamping: sequence &- playlist.mediaSequence(at: 0))
        guard playlist.segments.indices.contains(index) else { return nil }
        let segment = playlist.segments[index]
        let begin = playlist.programDate(at: index)
        if self.part > 0 || self.holdsHint, let part = playlist.part(self.part, ofSegment: index) {
            return self.item(part, in: playlist, begin: begin)
        }
        if let range = segment.mapURI {
            let map = playlist.string(in: range)
            if map != self.loadedMap {
                return Item(pending: .map, reference: map, beginsAt: begin, endsAt: nil)
            }
        }
        return Item(
            pending: .segment,
            reference: playlist.uri(of: segment),
            beginsAt: begin,
            endsAt: playlist.endDate(ofSegment: index)
        )
    }

    /// The next part of the segment that is still being made.
    func trailingPart(in playlist: MediaPlaylist) -> Item? {
        guard self.sequence == playlist.endMediaSequence else { return nil }
        return playlist.part(self.part, ofSegment: playlist.segments.count).map {
            self.item($0, in: playlist, begin: playlist.endProgramDate)
        }
    }

    private func item(_ part: MediaPlaylist.PartialSegment, in playlist: MediaPlaylist, begin: WallTime?) -> Item {
        let before = playlist.parts.lazy.filter { $0.segmentIndex == part.segmentIndex }.prefix(self.part + 1)
        let length = before.reduce(Int64(0)) { $0.later(by: $1.durationMicroseconds) }
        return Item(
            pending: .part,
            reference: playlist.string(in: part.uri),
            beginsAt: begin,
            endsAt: begin.map { WallTime(microseconds: $0.microseconds.later(by: length)) }
        )
    }

    /// Goes past what is listed now where it is in hand since it was hinted at; another hint may be followed then.
    mutating func takesHinted(_ url: String) -> Bool {
        let isInHand = self.holdsHint && self.hint == url
        self.hint = ""
        self.holdsHint = false
        if isInHand { self.advance(past: .part) }
        return isInHand
    }

    /// What was under way is in hand, or given up.
    mutating func advance(past pending: Pending) {
        // Begun anew meanwhile: what came belongs to another place.
        guard let sequence = self.sequence else { return }
        switch pending {
        case .none, .hint, .map: return
        case .segment:
            self.sequence = sequence &+ 1
            self.part = 0
        case .part: self.part += 1
        }
        if self.pendingEnd != .min { self.loadedEnd = max(self.loadedEnd, self.pendingEnd) }
    }

    private mutating func moveEnd(to date: WallTime?) {
        if let date { self.loadedEnd = max(self.loadedEnd, date.microseconds) }
    }
}

extension MediaPlaylist {
    fileprivate func part(_ number: Int, ofSegment index: Int) -> PartialSegment? {
        self.parts.lazy.filter { $0.segmentIndex == index && !$0.isGap }.dropFirst(number).first
    }

    fileprivate func endDate(ofSegment index: Int) -> WallTime? {
        self.programDate(at: index).map {
            WallTime(microseconds: $0.microseconds.later(by: self.segments[index].durationMicroseconds))
        }
    }
}
