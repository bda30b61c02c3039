import Dispatch
import Foundation

/// Moves the live playlist on by one segment at a time, so that viewers meet new versions as in reality.
final class PlaylistRewriting {
    private let timer: any DispatchSourceTimer

    init(_ file: URL, everySeconds seconds: Int) {
        timer = DispatchSource.makeTimerSource()
        var segments = 0
        timer.setEventHandler {
            segments += 1
            // Atomically: a server that reads during the write would answer with half a playlist.
            try? Data(LivePlaylist.text(after: segments).utf8).write(to: file, options: .atomic)
        }
        timer.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
        timer.activate()
    }

    func stop() {
        timer.cancel()
    }
}
