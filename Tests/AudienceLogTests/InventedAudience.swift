import TestSupport

/// An audience that a test makes up, and the log that it would leave.
struct InventedAudience {
    struct Viewer {
        var join: Int
        var leave: Int
        var player: Int
    }

    static let agents = [
        "AppleCoreMedia/1.0.0.21G72 (Apple TV; U; CPU OS 17_5 like Mac OS X; en_us)",
        "Demo/1.0 (Linux;Android 14) AndroidXMedia3/1.11.0",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
        "Roku/DVP-14.5 (14.5.0.4205-AE)",
    ]
    static let shares = [0.4, 0.3, 0.25, 0.05]
    static let polls = [4000, 3900, 4100, 4000]
    static let breaks = [120_000, 240_000]
    static let length = 300_000

    let viewers: [Viewer]
    let asked: [Int]
    private let lines: [(at: Int, viewer: Int, target: String)]

    /// A rush at the beginning, churn, and an end that comes slowly; nine in ten ask in each break, within three seconds.
    init(_ count: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var viewers: [Viewer] = []
        var lines: [(at: Int, viewer: Int, target: String)] = []
        var asked = [0, 0]
        for number in 0..<count {
            let isEarly = number * 2 < count
            let join = Int.random(in: isEarly ? 0...60_000 : 60_000...200_000, using: &random)
            let stay = Int.random(in: 20_000...400_000, using: &random)
            var chance = Double.random(in: 0..<1, using: &random)
            let player = Self.shares.firstIndex { share in
                chance -= share
                return chance < 0
            }
            let viewer = Viewer(join: join, leave: min(join + stay, Self.length), player: player ?? 0)
            viewers.append(viewer)
            lines.append((join, number, "/live/main.m3u8"))
            var poll = join + 50
            while poll < viewer.leave {
                lines.append((poll, number, "/live/video.m3u8?_HLS_msn=\(poll)"))
                lines.append((poll + 20, number, "/live/audio.m3u8"))
                poll += Self.polls[viewer.player] + Int.random(in: -30...30, using: &random)
            }
            for (index, start) in Self.breaks.enumerated() where viewer.join < start && viewer.leave > start + 3000 {
                guard Int.random(in: 0..<10, using: &random) < 9 else { continue }
                let ask = start + Int.random(in: 0..<3000, using: &random)
                asked[index] += 1
                lines.append((ask, number, "/ads/ad_break_id/mid-\(index)/list.m3u8"))
                lines.append((ask + 100, number, "/ads/ad_break_id/mid-\(index)/profile/1.m3u8"))
            }
        }
        self.viewers = viewers
        self.asked = asked
        self.lines = lines.sorted { ($0.at, $0.viewer) < ($1.at, $1.viewer) }
    }

    func present(at milliseconds: Int) -> Int { viewers.count { $0.join <= milliseconds && milliseconds < $0.leave } }

    /// The log's lines, those of each viewer from an address of its own.
    func log(milliseconds: Bool = true) -> [String] {
        lines.map { line in
            LogText.combined(
                line.at,
                "198.51.\(line.viewer / 250).\(line.viewer % 250)",
                line.target,
                Self.agents[viewers[line.viewer].player],
                milliseconds: milliseconds
            )
        }
    }
}
