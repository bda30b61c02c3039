import AdServing
import HLS
import Measurement
import Transport

// What the channel's playlists say.
extension Shard {
    func content(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        let plannedAt = result.plannedAt
        guard result.isSuccess else { return .playlistFailed(plannedAt: plannedAt, reason: LoadFailure(result)) }
        let url = result.effectiveURL
        do {
            let parsed = self.playlists.parsed
            switch try self.playlists.content(result.body, url: url, now: result.doneAt) {
            case .multivariant(let playlist):
                self.foundInAnswer(self.playlists.violations(ofContent: url), result, viewer)
                return .multivariant(playlist)
            case .media(let shared):
                self.foundInAnswer(shared.sight.violations, result, viewer)
                if self.playlists.parsed != parsed { self.noteLiveEdge(of: shared.playlist, at: result.doneAt) }
                // The content URL is the one media playlist of the channel.
                return .playlist(shared, plannedAt: plannedAt, index: viewer.machine.requestIndex(of: .video))
            }
        } catch {
            self.foundNoPlaylist(error, result, viewer, breakSlot: self.playlistSlot(viewer, now: result.doneAt))
            return .playlistFailed(plannedAt: plannedAt, reason: .unreadable)
        }
    }

    func livePlaylist(
        _ role: ViewerRole,
        index: UInt8,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) -> ViewerEvent {
        let plannedAt = result.plannedAt
        guard result.isSuccess else {
            self.foundUnavailable(role, index: index, result, viewer)
            return .playlistFailed(plannedAt: plannedAt, reason: LoadFailure(result), index: index)
        }
        guard let rendition = viewer.machine.rendition(ofRequest: index) else {
            // Of a variant that the viewer has left: counted and not read.
            return .mediaFinished(index: index, failure: nil)
        }
        do {
            let parsed = self.playlists.parsed
            let place = self.place(of: rendition, viewer)
            let base = result.redirects > 0 ? result.effectiveURL : nil
            let shared = try self.playlists.media(result.body, at: place, base: base, now: result.doneAt)
            guard !shared.isDelta else {
                return self.whole(from: shared, at: place, rendition, role, index: index, result, viewer)
            }
            self.checkHold(role, shared, of: rendition, result, viewer)
            self.inspect(shared, of: rendition, at: place, result, viewer)
            self.compareWithAudience(shared, of: rendition, at: place, result, viewer)
            if self.playlists.parsed != parsed, rendition == .video {
                self.noteLiveEdge(of: shared.playlist, at: result.doneAt)
            }
            let age = viewer.machine.wantsAge ? Int32(clamping: result.ageSeconds ?? -1) : -1
            return .playlist(shared, plannedAt: plannedAt, index: index, age: age)
        } catch {
            let slot = self.playlistSlot(viewer, now: result.doneAt)
            self.foundNoPlaylist(error, result, viewer, breakSlot: slot)
            return .playlistFailed(plannedAt: plannedAt, reason: .unreadable, index: index)
        }
    }

    func steering(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else {
            self.checkSteering(result, viewer)
            switch result.failure == nil ? result.status : 0 {
            case 410: return .steeringFailed(.gone)
            case 429:
                let seconds = result.retryAfterSeconds.map { Int32(clamping: min(max($0, 0), 86_400)) }
                return .steeringFailed(.busy(retryAfter: seconds))
            default: return .steeringFailed(.failed(LoadFailure(result)))
            }
        }
        guard let channel = viewer.machine.multivariant else { return .steeringFailed(.failed(.unreadable)) }
        do {
            return .steered(try self.playlists.steering(result.body, url: result.effectiveURL, of: channel))
        } catch {
            self.foundNoSteering("no steering manifest: \(error.rawValue)", result, viewer)
            return .steeringFailed(.failed(.unreadable))
        }
    }

    /// What a delta update and the version that the viewer has make together.
    private func whole(
        from delta: SharedPlaylist,
        at place: PlaylistCache.Place,
        _ rendition: PlayedRendition,
        _ role: ViewerRole,
        index: UInt8,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) -> ViewerEvent {
        guard
            let previous = viewer.machine.latest(of: rendition),
            let whole = self.playlists.whole(from: delta, after: previous, at: place, now: result.doneAt)
        else { return .deltaUnusable(plannedAt: result.plannedAt, index: index) }
        self.checkHold(role, whole, of: rendition, result, viewer)
        self.inspect(whole, of: rendition, at: place, result, viewer)
        self.compareWithAudience(whole, of: rendition, at: place, result, viewer)
        return .playlist(whole, plannedAt: result.plannedAt, index: index)
    }

    /// Where the cache keeps what a rendition's URL answered; found once for each variant that a viewer plays.
    func place(of rendition: PlayedRendition, _ viewer: ViewerSlot) -> PlaylistCache.Place {
        let generation = viewer.machine.generation(of: rendition)
        guard rendition != .video else {
            if viewer.playlistPlace >= 0 {
                guard viewer.playlistGeneration != generation else { return Int(viewer.playlistPlace) }
                self.playlists.release(Int(viewer.playlistPlace))
            }
            let place = self.newPlace(of: viewer.machine.playlistURL, viewer)
            // Its URL is that of the playlist before.
            viewer.playlistRequest = nil
            viewer.playlistPlace = Int32(place)
            viewer.playlistGeneration = generation
            return place
        }
        if let known = viewer.renditionPlaces.firstIndex(where: { $0.rendition == rendition }) {
            guard viewer.renditionPlaces[known].generation != generation else {
                return viewer.renditionPlaces[known].place
            }
            self.playlists.release(viewer.renditionPlaces.remove(at: known).place)
        }
        let place = self.newPlace(of: viewer.machine.url(of: rendition), viewer)
        viewer.renditionPlaces.append(RenditionPlace(rendition: rendition, generation: generation, place: place))
        return place
    }

    private func newPlace(of url: String, _ viewer: ViewerSlot) -> PlaylistCache.Place {
        self.playlists.place(of: url, importing: viewer.machine.multivariant?.exports ?? [:])
    }

    /// A viewer that is gone uses none of them any more.
    func releasePlaces(_ viewer: ViewerSlot) {
        if viewer.playlistPlace >= 0 {
            self.playlists.release(Int(viewer.playlistPlace))
            viewer.playlistPlace = -1
        }
        for kept in viewer.renditionPlaces {
            self.playlists.release(kept.place)
        }
        viewer.renditionPlaces = []
    }

    /// Measures how fresh the channel is: how far what it offers ends behind the wall clock.
    ///
    /// By the run's own clock, so that a step of the wall clock does not show as a stale target.
    private func noteLiveEdge(of playlist: MediaPlaylist, at now: Int64) {
        guard !playlist.hasEndList, let edge = playlist.endProgramDate else { return }
        let age = self.plan.timebase.wall(now).microseconds.subtractingReportingOverflow(edge.microseconds)
        self.recorder.liveEdge(ageMicroseconds: age.overflow ? .max : age.partialValue)
    }
}

extension LoadFailure {
    /// How a finished transfer failed; a success has no business here.
    init(_ result: borrowing TransferResult) {
        switch result.failure {
        case .connectTimeout, .firstByteTimeout, .totalTimeout: self = .timeout
        case .some: self = .other
        case nil:
            switch result.status {
            case 400: self = .badRequest
            case 401..<500: self = .clientError
            case 503: self = .unavailable
            default: self = .other
            }
        }
    }
}
