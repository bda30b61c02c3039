import AdServing

extension InterstitialPaths {
    static func route(_ path: String) -> Route? {
        guard let rest = path.rest(after: prefix) else { return nil }
        let pieces = rest.pieces(between: "/").map(String.init)
        guard let last = pieces.last, pieces.count >= 2 else { return .unknown }
        let identifier = pieces[0]
        if pieces.count == 2 {
            switch last {
            case "assets.json": return .interstitial(.list(identifier: identifier))
            case "asset.m3u8": return .interstitial(.asset(identifier: identifier, place: 0, token: nil))
            default: return .unknown
            }
        }
        guard pieces.count == 4 else { return .unknown }
        if identifier == mediaFolder || identifier == slateFolder { return media(profile: pieces[1], file: last) }
        if pieces[1] == beaconFolder {
            return .interstitial(.beacon(identifier: identifier, place: pieces[2], event: last))
        }
        guard last.hasSuffix(".m3u8") else { return .unknown }
        let token = pieces[2]
        let isManifest = last == "asset.m3u8"
        guard let place = Int(pieces[1]), place >= 0 else {
            return .missing(isManifest ? .assetManifest : .podPlaylist)
        }
        guard !isManifest else { return .interstitial(.asset(identifier: identifier, place: place, token: token)) }
        let profile = String(last.dropLast(".m3u8".count))
        return .interstitial(.playlist(identifier: identifier, place: place, token: token, profile: profile))
    }

    private static func media(profile: String, file: String) -> Route {
        guard file.hasSuffix(".mp4") else { return .unknown }
        if file == "init.mp4" { return .podFile(PodFile(profile: profile)) }
        guard let number = Int(file.dropLast(4)), number >= 0 else { return .missing(.podSegment) }
        return .podFile(PodFile(profile: profile, number: number))
    }
}

enum InterstitialRoute: Sendable, Equatable {
    case list(identifier: String)
    /// Without a token the decision is made now.
    case asset(identifier: String, place: Int, token: String?)
    case playlist(identifier: String, place: Int, token: String, profile: String)
    case beacon(identifier: String, place: String, event: String)

    var kind: RequestKind {
        switch self {
        case .list: .assetList
        case .asset: .assetManifest
        case .playlist: .podPlaylist
        case .beacon: .beacon
        }
    }

    var identifier: String {
        switch self {
        case .list(let identifier), .asset(let identifier, _, _), .playlist(let identifier, _, _, _),
            .beacon(let identifier, _, _):
            identifier
        }
    }

    var place: Int? {
        switch self {
        case .asset(_, let place, _), .playlist(_, let place, _, _): place
        case .list, .beacon: nil
        }
    }
}

/// A file in the folder of a rendition.
struct LiveRoute: Sendable, Hashable {
    let rendition: Int
    /// Nil for the channel's own media.
    var ad: StitchedAd?
    let file: LiveFile
}

/// `stitched/{start}/{ad}-{creative}/{file}` below a rendition's folder.
struct StitchedAd: Sendable, Hashable {
    /// Seconds since the Unix epoch.
    let start: Int64
    let number: Int
}

extension StitchedAd {
    private static let folder = "stitched/"

    /// Seconds since the Unix epoch; nil for other addresses.
    static func breakStart(in address: String) -> Int64? {
        guard let found = address.firstRange(of: folder),
            found.lowerBound == address.startIndex || address[..<found.lowerBound].hasSuffix("/")
        else { return nil }
        return Int64(address[found.upperBound...].prefix { $0 != "/" })
    }

    init?(break start: Substring, ad: Substring) {
        guard let start = Int64(start), let dash = ad.firstIndex(of: "-"), let number = Int(ad[..<dash]),
            (0..<3_600).contains(number)
        else { return nil }
        self.init(start: start, number: number)
    }
}
