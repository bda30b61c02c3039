import Foundation

/// One request of a player as nginx wrote it down.
struct ObservedRequest: Sendable {
    enum Kind: Sendable {
        case multivariant
        case playlist
        case initialisation
        case segment
        case assetList
        case asset
        case assetPlaylist
        case assetMedia
        case other
    }

    /// Seconds of the epoch.
    let began: Double
    let ended: Double
    let port: UInt16
    let status: Int
    let path, query: String

    /// A line of the log format of ``ObservedChannel``; nil for what is not one.
    init?(_ line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 4)
        guard fields.count == 5, let ended = Double(fields[0]), let lasted = Double(fields[1]),
            let port = UInt16(fields[2]), let status = Int(fields[3])
        else { return nil }
        let target = fields[4].split(separator: "?", maxSplits: 1)
        guard let path = target.first else { return nil }
        self.ended = ended
        began = ended - lasted
        self.port = port
        self.status = status
        self.path = String(path)
        query = target.count > 1 ? String(target[1]) : ""
    }

    var kind: Kind {
        if path.hasPrefix("/interstitials/media/") { return .assetMedia }
        if path.hasPrefix("/interstitials/") {
            if path.hasSuffix("/assets.json") { return .assetList }
            return path.hasSuffix("/asset.m3u8") ? .asset : .assetPlaylist
        }
        guard path.hasPrefix("/live/") else { return .other }
        if path.hasSuffix("/multivariant.m3u8") { return .multivariant }
        if path.hasSuffix(".m3u8") { return .playlist }
        return path.hasSuffix("/init.mp4") ? .initialisation : .segment
    }

    /// The number of a segment, and of the part where it is one: `/live/main/360p/17.3.m4s`.
    var numbers: [Int] {
        kind == .segment
            ? (path.split(separator: "/").last ?? "").split(separator: ".").compactMap { Int($0) } : []
    }

    /// Names and values of the parameters, in their order.
    var parameters: [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let both = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (both[0], both.count > 1 ? both[1] : "")
        }
    }

    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
}

/// What one player asked for, in the order in which it began to.
struct ObservedRequests: Sendable, CustomStringConvertible {
    let all: [ObservedRequest]

    init(_ requests: some Sequence<ObservedRequest>) {
        all = requests.sorted { ($0.began, $0.ended) < ($1.began, $1.ended) }
    }

    func of(_ kinds: ObservedRequest.Kind...) -> [ObservedRequest] { all.filter { kinds.contains($0.kind) } }

    /// Reloads of the live playlist.
    ///
    /// A browser sends a request again at once where a connection that it had used before was closed without an answer: that
    /// is one.
    var polls: [ObservedRequest] {
        of(.playlist).reduce(into: []) { polls, request in
            let isAgain = polls.last.map { last in
                last.status != 200 && request.query == last.query && request.began - last.began < 0.3
            }
            if isAgain == true { return }
            polls.append(request)
        }
    }

    /// From the last time that the player was started: what a run asks for before its viewers come is left out.
    var fromTheStart: ObservedRequests {
        guard let start = all.last(where: { $0.kind == .multivariant })?.began else { return self }
        return ObservedRequests(all.filter { $0.began >= start })
    }

    /// The newest whole segment that was asked for by then.
    func edge(at time: Double) -> Int? { all.filter { $0.began <= time }.compactMap(\.numbers.first).max() }

    /// How long after the last poll before it a request began.
    func delay(of request: ObservedRequest) -> Double? {
        polls.last { $0.began <= request.began }.map { request.began - $0.began }
    }

    var description: String {
        guard let start = all.first?.began else { return "nothing" }
        return all.map { request in
            let target = request.path + (request.query.isEmpty ? "" : "?\(request.query)")
            return "\(Int((request.began - start) * 1000)) \(request.status) \(target)"
        }.joined(separator: "\n")
    }
}
