import Audit
import HLS
import Recording
import Rules
import Swarm
import Transport
import Viewer

/// Handles each poll's answer as podswarm's viewer does: records it, compares or parses it, and plans the next poll.
///
/// Made of the parts that a run uses. Confined to a loop, so that no exclusivity check can find anything.
final class PlaylistReader {
    private let playlists = PlaylistLibrary(
        announcements: AnnouncedBreaks(classAttribute: nil, fallbackDuration: .seconds(30))
    )
    private let recorder = LoopRecorder()
    private let rule = ReloadRule()
    private let index: PlaylistLibrary.Index
    @exclusivity(unchecked) private var latest: ContiguousArray<SharedPlaylist?>
    /// The sum of the reload delays: without a use, the compiler might omit the computation.
    @exclusivity(unchecked) private(set) var reloadNanoseconds: Int64 = 0

    init(url: String, viewers: Int) {
        index = playlists.use(url)
        latest = ContiguousArray(repeating: nil, count: viewers)
    }

    var parsed: Int { playlists.parsed }
    var recognised: Int { playlists.recognised }

    /// Returns whether the answer was a media playlist.
    func read(_ result: borrowing TransferResult, viewer: Int) -> Bool {
        recorder.record(RequestSample(result, kind: .playlist))
        guard result.isSuccess else { return false }
        return read(result.body, viewer: viewer)
    }

    func read(_ body: UnsafeRawBufferPointer, viewer: Int) -> Bool {
        guard let shared = try? playlists.media(body, at: index) else { return false }
        let isNews = shared.isNews(after: latest[viewer])
        latest[viewer] = shared
        reloadNanoseconds &+= shared.reloadDelay(rule.basis, isNews: isNews) ?? 0
        return true
    }
}
