import AdServing
import Conformance
import EventLoop
import HLS
import Measurement
import Transport

// What a viewer is given, beside what other viewers are given.
extension Shard {
    /// Holds a version of a live playlist against what the viewer had and what other viewers have.
    ///
    /// To be called before the viewer takes the version; an answer that is the version it has costs two comparisons.
    func compareWithAudience(
        _ shared: SharedPlaylist,
        of rendition: PlayedRendition,
        at place: PlaylistCache.Place,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        let now = result.doneAt
        let previous = viewer.machine.latest(of: rendition)
        if !self.audience.returns.isEmpty, rendition == .video {
            self.noteMissedReturns(shared, sentAt: result.sentAt, viewer)
        }
        guard previous?.version != shared.version else { return }
        if let previous, case .older(let violation) = EdgeChecks.step(from: previous.playlist, to: shared.playlist) {
            self.found(
                violation.code,
                url: shared.url,
                expected: violation.expected,
                observed: violation.observed,
                viewer,
                breakSlot: self.breakSlot(near: self.plan.timebase.wall(now), shared, viewer)
            )
        }
        self.noteSegments(shared, at: place, viewer)
        if shared.audience.namesSessions, let own = viewer.machine.streamID {
            shared.playlist.text.withUnsafeBytes {
                let slot = self.breakSlot(near: self.plan.timebase.wall(now), shared, viewer)
                self.noteForeignID(in: $0, own: own, url: shared.url, viewer, slot: slot)
            }
        }
        guard rendition == .video else { return }
        if previous?.audience.digest != shared.audience.digest {
            self.noteAnnouncements(shared, after: previous, now: now, viewer)
        }
        for slot in self.audience.lacking(shared, at: place) {
            self.recorder.breakLacked(
                slot,
                viewer: viewer.machine.number,
                wallMicroseconds: self.plan.timebase.wall(now).microseconds,
                evidence: Evidence(
                    url: self.redacted(shared.url, viewer),
                    expected: "the break's date range, as in other answers of this playlist",
                    observed: "a playlist over the break without it"
                )
            )
        }
    }

    /// Looks for another viewer's stream id in a body; true where there is one.
    @discardableResult
    func noteForeignID(
        in body: UnsafeRawBufferPointer,
        own: StreamID,
        url: String,
        _ viewer: ViewerSlot,
        slot: Int32
    ) -> Bool {
        guard let foreign = MaskedBody.fingerprint(body, own: own).foreign else { return false }
        self.foundForeignID(foreign, own: own, url: url, viewer, slot: slot)
        return true
    }

    /// Books another session's stream id that a body showed to a viewer.
    func foundForeignID(
        _ foreign: String,
        own: StreamID,
        url: String,
        _ viewer: ViewerSlot,
        slot: Int32
    ) {
        self.found(
            .foreignStreamID,
            url: url,
            expected: "the viewer's own stream id \(own.redacted)",
            observed: "the stream id \(StreamID(foreign).redacted) of another session",
            viewer,
            breakSlot: slot
        )
    }

    /// The break that an instant lies in or near: the viewer's own, else one that playlists announced; -1 for none.
    func breakSlot(near date: WallTime, _ shared: SharedPlaylist, _ viewer: ViewerSlot) -> Int32 {
        if let scheduled = viewer.planned?.scheduled {
            let slack = Duration.nanoseconds(shared.targetNanoseconds) * 3
            if date >= scheduled.start - slack, date <= scheduled.end + slack { return viewer.breakSlot }
        }
        return self.audience.slot(near: date, targetNanoseconds: shared.targetNanoseconds) ?? -1
    }
}

extension Shard {
    /// Books the breaks that a version announces otherwise than the viewer's version before, and sees which ends moved.
    private func noteAnnouncements(
        _ shared: SharedPlaylist,
        after previous: SharedPlaylist?,
        now: Int64,
        _ viewer: ViewerSlot
    ) {
        let playlist = Self.name(of: shared.url)
        let wall = self.plan.timebase.wall(now)
        let half = Duration.nanoseconds(shared.targetNanoseconds) / 2
        for notice in shared.audience.notices {
            let before = previous?.audience.notices.first { $0.scheduled.key == notice.scheduled.key }
            guard before != notice else { continue }
            guard let slot = self.audience.announced(notice, now: wall, slot: self.slot(of: notice)) else { continue }
            if let before, notice.end <= before.end - half {
                self.audience.cutShort(notice, slot: slot, at: now)
            }
            guard !notice.attributes.isEmpty, before?.fingerprint != notice.fingerprint else { continue }
            self.recorder.breakAnnounced(
                slot,
                fingerprint: Self.fingerprint(notice, in: playlist),
                viewer: viewer.machine.number,
                wallMicroseconds: wall.microseconds,
                url: self.redacted(shared.url, viewer),
                announcement: Announcement(
                    playlist: Redaction.url(playlist, own: nil),
                    attributes: Redaction.attributes(notice.attributes, own: viewer.machine.streamID)
                )
            )
        }
    }

    private func slot(of notice: BreakNotice) -> Int32 {
        self.recorder.breakSlot(
            for: notice.scheduled.key,
            start: notice.scheduled.start.microseconds,
            durationMilliseconds: Int(clamping: notice.scheduled.duration.nanosecondsHeld / 1_000_000)
        )
    }

    private static func fingerprint(_ notice: BreakNotice, in playlist: String) -> UInt64 {
        playlist.utf8.reduce(notice.fingerprint) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The last two pieces of the path: what stands before them may be an edge's or a session's own.
    private static func name(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").suffix(2).joined(separator: "/")
    }

    /// Counts a viewer whose request left 1.5 target durations after the first viewer knew of an early return, and
    /// whose answer does not know of it (bis-22 section 6.2.1 lets no update be later).
    private func noteMissedReturns(_ shared: SharedPlaylist, sentAt: Int64, _ viewer: ViewerSlot) {
        let target = shared.targetNanoseconds
        for index in self.audience.returns.indices {
            let early = self.audience.returns[index]
            guard
                sentAt.later(by: -early.firstAt) > target / 2 * 3,
                let notice = shared.audience.notices.first(where: { $0.scheduled.key == early.key }),
                notice.end > early.end + .nanoseconds(target) / 2,
                self.audience.missed(index, viewer: viewer.machine.number)
            else { continue }
            let late = Duration.nanoseconds(sentAt.later(by: -early.firstAt)) / .seconds(1)
            self.found(
                .earlyReturnMissed,
                url: shared.url,
                expected: "a break that is over at \(early.end.iso8601), as another viewer was told",
                observed: "over at \(notice.end.iso8601), \((late * 10).rounded() / 10) s after the other viewer knew",
                viewer,
                breakSlot: early.slot
            )
        }
    }

    /// Holds what versions of one playlist say of the same segments against each other.
    private func noteSegments(_ shared: SharedPlaylist, at place: PlaylistCache.Place, _ viewer: ViewerSlot) {
        if self.audience.isFirstSight(of: shared.version, at: place) {
            for other in self.playlists.versions(at: place) where other.version != shared.version && !other.isDelta {
                // Ads that are stitched in may be a viewer's own; they are compared by themselves.
                let ads = shared.stitchedSequences.union(other.stitchedSequences)
                let found = EdgeChecks.disagreement(other.playlist, shared.playlist, except: ads)
                guard let found else { continue }
                let date = found.second.programMilliseconds.map { WallTime(microseconds: $0 &* 1_000) }
                let slot = self.breakSlot(near: date ?? self.plan.timebase.wall(MonotonicClock.now()), shared, viewer)
                guard self.audience.disagreed(on: found.mediaSequence, at: place, slot: slot) else { continue }
                self.castOfOthers(found.mediaSequence, at: place, slot: slot)
            }
        }
        guard let conflicts = self.audience.conflicts[place] else { return }
        for (mediaSequence, slot) in conflicts {
            self.cast(mediaSequence, of: shared, slot: slot, viewer)
        }
    }

    /// Counts the viewers that have a version with the segment already.
    private func castOfOthers(_ mediaSequence: UInt64, at place: PlaylistCache.Place, slot: Int32) {
        for other in self.viewers {
            if Int(other.playlistPlace) == place, let latest = other.machine.latest(of: .video) {
                self.cast(mediaSequence, of: latest, slot: slot, other)
            }
            for kept in other.renditionPlaces where kept.place == place {
                guard let latest = other.machine.latest(of: kept.rendition) else { continue }
                self.cast(mediaSequence, of: latest, slot: slot, other)
            }
        }
    }

    private func cast(_ mediaSequence: UInt64, of shared: SharedPlaylist, slot: Int32, _ viewer: ViewerSlot) {
        guard let facts = EdgeChecks.facts(of: mediaSequence, in: shared.playlist) else { return }
        self.recorder.given(
            .edgeContentDiffers,
            subject: "\(Self.name(of: shared.url)), media sequence \(mediaSequence)",
            fingerprint: facts.fingerprint,
            viewer: viewer.machine.number,
            breakSlot: slot,
            wallMicroseconds: MonotonicClock.wallMicroseconds(),
            evidence: Evidence(
                url: self.redacted(shared.url, viewer),
                expected: "",
                observed: Redaction.url(facts.text, own: viewer.machine.streamID)
            )
        )
    }
}

extension SharedPlaylist {
    /// Media sequence numbers of the ads that are stitched into the playlist, also of a break that began before it does.
    fileprivate var stitchedSequences: Set<UInt64> {
        var ads = Set((self.schedule?.stitched ?? []).flatMap { $0.segments.map(\.sequence) })
        if let rest = self.playlist.restOfStitchedBreak { ads.formUnion(rest) }
        return ads
    }
}
