import Audience
import Audit
import HLS
import Recording
import Rulebook
import Swarm
import Transport

/// What podswarm's viewer does with each answer to its poll: record it, compare or parse it, and ask when to come again.
///
/// Made of the very parts that a run uses. Confined to a loop, so that no exclusivity check can find anything.
final class PlaylistReader {
    private let playlists = PlaylistLibrary(
        announcements: AnnouncedBreaks(classAttribute: nil, fallbackDuration: .seconds(30))
    )
    private let recorder = LoopRecorder()
    private let rule = ReloadRule()
    private let index: PlaylistLibrary.Index
    @exclusivity(unchecked) private var latest: ContiguousArray<SharedPlaylist?>
    /// The sum of what the reload rule said: a figure that nobody uses might not be worked out.
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

    /// Returns whether the body is a media playlist.
    func read(_ body: UnsafeRawBufferPointer, viewer: Int) -> Bool {
        guard let shared = try? playlists.media(body, at: index) else { return false }
        let isNews = shared.isNews(after: latest[viewer])
        latest[viewer] = shared
        reloadNanoseconds &+= shared.reloadDelay(rule.basis, isNews: isNews) ?? 0
        return true
    }
}
