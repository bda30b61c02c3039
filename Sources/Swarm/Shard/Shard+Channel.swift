import HLS
import Measurement
import Transport

// What the channel's playlists say.
extension Shard {
    func content(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else { return .playlistFailed(plannedAt: result.plannedAt) }
        let url = result.effectiveURL
        do {
            let parsed = self.playlists.parsed
            switch try self.playlists.content(result.body, url: url) {
            case .multivariant(let playlist): return .multivariant(playlist)
            case .media(let shared):
                if self.playlists.parsed != parsed { self.noteLiveEdge(of: shared.playlist, at: result.doneAt) }
                return .playlist(shared, plannedAt: result.plannedAt)
            }
        } catch {
            self.foundNoPlaylist(error, url: url, viewer, breakSlot: -1)
            return .playlistFailed(plannedAt: result.plannedAt)
        }
    }

    func livePlaylist(_ result: borrowing TransferResult, _ viewer: ViewerSlot) -> ViewerEvent {
        guard result.isSuccess else { return .playlistFailed(plannedAt: result.plannedAt) }
        do {
            let parsed = self.playlists.parsed
            let shared = try self.playlists.media(
                result.body,
                at: Int(viewer.playlistPlace),
                base: result.redirects > 0 ? result.effectiveURL : nil
            )
            if self.playlists.parsed != parsed { self.noteLiveEdge(of: shared.playlist, at: result.doneAt) }
            return .playlist(shared, plannedAt: result.plannedAt)
        } catch {
            self.foundNoPlaylist(error, url: result.effectiveURL, viewer, breakSlot: -1)
            return .playlistFailed(plannedAt: result.plannedAt)
        }
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
