import Values

/// Requests of viewers, in any order.
///
/// Beyond the limit, half of all present and future viewers are discarded by their hashes; each that is left stands for twice
/// as many.
struct AudienceRequests {
    /// 16 bytes, because a log has millions of requests.
    struct Request {
        let viewer: UInt64
        private let time: Int32
        /// The kind in two bits, and above them the name.
        private let content: UInt32

        init(_ viewer: UInt64, _ milliseconds: Int64, _ kind: RequestKind, named hash: UInt64?) {
            (self.viewer, time) = (viewer, Int32(milliseconds))
            content = UInt32(truncatingIfNeeded: hash.map { $0 | 1 } ?? 0) << 2 | kind.rawValue
        }

        /// From the first request of all.
        var milliseconds: Int { Int(time) }
        var kind: RequestKind { RequestKind(rawValue: content & 3) ?? .other }
        /// Hash of a playlist's path or of a break's name; nil without one.
        var name: UInt32? { content < 4 ? nil : content >> 2 }
    }

    struct Viewer {
        let mark: ViewerMark
        let player: UInt16
        /// Hash of the first address.
        let place: UInt64
        /// Requests from other addresses.
        var elsewhere = 0
    }

    /// Days of an event, so that milliseconds fit in 32 bits.
    private static let farthest = Int64(AudienceLogOptions.longestDays) * 86_400_000
    /// Requests that take as much memory as a viewer.
    private static let requestsPerViewer = 4
    private static let fewestViewers = 1000

    private(set) var all: [Request] = []
    private(set) var viewers: [UInt64: Viewer] = [:]
    private(set) var players = PlayerNames()
    /// Discarded viewers included.
    private(set) var kinds: [RequestKind: Int] = [:]
    /// The programme's requests.
    private(set) var marks: [ViewerMark: Int] = [:]
    /// But for its counts by kind.
    var read = AudienceFigures.Read()
    private(set) var wholeSeconds = 0
    /// Since the Unix epoch.
    private(set) var zero: Int64?

    private let most: Int
    private let tell: ViewerTell
    private let range: Range<Int64>
    /// Kept hashes begin with this many zero bits.
    private var level = 0

    init(_ options: AudienceLogOptions) {
        most = options.mostRequests
        tell = ViewerTell(options)
        let from = options.from.map { $0.microseconds / 1000 } ?? .min
        range = from..<max(from, options.to.map { $0.microseconds / 1000 } ?? .max)
    }

    /// Viewers that each kept one stands for.
    var weight: Int { 1 << level }

    func count(_ kinds: RequestKind...) -> Int { kinds.reduce(0) { $0 + (self.kinds[$1] ?? 0) } }

    mutating func add(_ request: LoggedRequest) throws(AudienceLogError) {
        guard range.contains(request.milliseconds) else {
            read.outside += 1
            return
        }
        let facts = tell.facts(of: request.query)
        let (kind, breakName) = tell.kind(of: request, facts)
        kinds[kind, default: 0] += 1
        guard kind != .other else { return }
        if request.milliseconds % 1000 == 0 { wholeSeconds += 1 }
        let zero = self.zero ?? request.milliseconds
        self.zero = zero
        let time = request.milliseconds - zero
        guard abs(time) < Self.farthest else { throw .tooLong(days: Int(abs(time) / 86_400_000)) }
        let place = tell.place(of: request)
        guard let (viewer, mark) = tell.viewer(of: request, facts, place: place) else {
            read.untold += 1
            return
        }
        if kind != .ads { marks[mark, default: 0] += 1 }
        guard keeps(viewer) else { return }
        if let first = viewers[viewer]?.place {
            if first != place { viewers[viewer]?.elsewhere += 1 }
        } else {
            viewers[viewer] = Viewer(mark: mark, player: players.player(of: request[.userAgent]), place: place)
        }
        let name = kind == .playlist ? request.path : breakName
        all.append(Request(viewer, time, kind, named: name.map { tell.hash(of: $0) }))
        if all.count + Self.requestsPerViewer * viewers.count >= most { try thinOut() }
    }

    private func keeps(_ viewer: UInt64) -> Bool { level == 0 || viewer >> UInt64(64 - level) == 0 }

    private mutating func thinOut() throws(AudienceLogError) {
        guard viewers.count > Self.fewestViewers else { throw .tooManyRequests }
        level += 1
        let kept = viewers.filter { keeps($0.key) }
        all.removeAll { kept[$0.viewer] == nil }
        viewers = kept
    }

    /// Orders by viewer, then by time.
    mutating func sort() { all.sort { ($0.viewer, $0.milliseconds) < ($1.viewer, $1.milliseconds) } }
}
