import Chance
import Glibc
import Time

/// A log of a live event with as many viewers and bytes as are wanted, in the format that is wanted.
///
/// Viewers come in a rush, are replaced all along and poll a playlist every four seconds, with a segment of video and one of
/// audio beside it. Lines stand in the order of their instants.
struct InventedLog {
    enum Format: String, CaseIterable {
        case combined
        case cloudfront
        case json
    }

    private static let start = WallTime(microseconds: 1_795_464_000_000_000)
    private static let pollMilliseconds = 4000
    private static let agents = [
        "AppleCoreMedia/1.0.0.21G72 (Apple TV; U; CPU OS 17_5 like Mac OS X; en_us)",
        "Demo/1.0 (Linux;Android 14) AndroidXMedia3/1.11.0",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile",
    ]

    let format: Format
    let viewers: Int
    let bytes: Int
    private var chance: SplitMix64
    private var buffer: [UInt8] = []
    private var written = 0
    private var lines = 0
    /// The text of the second that lines are written for.
    private var stamp: [UInt8] = []

    init(format: Format, viewers: Int, bytes: Int, seed: UInt64) {
        self.format = format
        self.viewers = viewers
        self.bytes = bytes
        chance = SplitMix64(seed: seed)
    }

    /// Writes it.
    ///
    /// - Parameter path: A file that need not be there.
    /// - Returns: How many lines it has.
    /// - Throws: Why it cannot be written.
    mutating func write(to path: String) throws(BenchmarkError) -> Int {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        buffer.reserveCapacity(9 << 20)
        if format == .cloudfront {
            add(
                "#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query time-taken\n"
            )
        }
        // Each second all who poll in it, by their phases; viewer by viewer would need them all in memory.
        var second = 0
        while written + buffer.count < bytes {
            setStamp(second)
            try addSecond(second, descriptor)
            second += 1
        }
        try flush(descriptor)
        return lines
    }

    private mutating func addSecond(_ second: Int, _ descriptor: Int32) throws(BenchmarkError) {
        let phases = Self.pollMilliseconds / 1000
        // All come within half a minute, and every ten minutes another viewer has the place of each.
        let present = min(viewers, viewers * (second + 1) / 30)
        var place = second % phases
        while place < present, written + buffer.count < bytes {
            let viewer = place + (second + place % 600) / 600 * viewers
            add(viewer, "/live/sports/1080p/video.m3u8")
            add(viewer, "/live/sports/1080p/\(second / phases + 100_000).m4s")
            add(viewer, "/live/sports/audio/\(second / phases + 100_000).m4s")
            if buffer.count > 8 << 20 { try flush(descriptor) }
            place += phases
        }
    }

    private mutating func setStamp(_ second: Int) {
        let iso = (Self.start + .seconds(second)).iso8601
        let (date, time) = (iso.prefix(10), iso.dropFirst(11).prefix(8))
        switch format {
        case .combined: stamp = Array("\(date.suffix(2))/Nov/\(date.prefix(4)):\(time) +0000".utf8)
        case .cloudfront: stamp = Array("\(date)\t\(time)".utf8)
        case .json: stamp = Array(String((Self.start + .seconds(second)).epochSeconds).utf8)
        }
    }

    private mutating func add(_ viewer: Int, _ path: String) {
        let address = "10.\(viewer >> 16 & 0xFF).\(viewer >> 8 & 0xFF).\(viewer & 0xFF)"
        let agent = Self.agents[viewer % Self.agents.count]
        let thousandths = Int(chance.next() % 1000)
        lines += 1
        switch format {
        case .combined:
            add("\(address) - - [")
            buffer += stamp
            add("] \"GET \(path) HTTP/2.0\" 200 \(8000 + thousandths) \"https://tv.example.com/\" \"\(agent)\"\n")
        case .cloudfront:
            buffer += stamp
            let encoded = agent.replacing(" ", with: "%20")
            add(
                "\t\(address)\tGET\t\(path)\t200\t\(encoded)\tCMCD=sid%3D%22\(viewer &* 2_654_435_761)%22\t0.0\(thousandths)\n"
            )
        case .json:
            add("{\"version\":1,\"cp\":\"123456\",\"reqId\":\"1239f220\",\"reqTimeSec\":\"")
            buffer += stamp
            add(".\(String(1000 + thousandths).dropFirst())\",\"statusCode\":\"200\",\"cliIP\":\"\(address)\",")
            add(
                "\"reqHost\":\"live.example.com\",\"reqMethod\":\"GET\",\"reqPath\":\"\(path)\",\"bytes\":\"8\(thousandths)\","
            )
            add("\"UA\":\"\(agent)\",\"cacheStatus\":\"1\"}\n")
        }
    }

    private mutating func add(_ text: String) { buffer.append(contentsOf: text.utf8) }

    private mutating func flush(_ descriptor: Int32) throws(BenchmarkError) {
        var done = 0
        while done < buffer.count {
            let count = buffer[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw .file("the log cannot be written: \(String(cString: strerror(errno)))") }
            done += count
        }
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
