/// Path of stitched ads' media: `stitched/{start}/{ad}-{creative}/{file}` below a rendition's folder.
struct StitchedRoute: Sendable, Equatable {
    let rendition: Int
    /// Start of the break, seconds since the Unix epoch.
    let start: Int64
    let ad: Int
    /// Nil for the initialization section.
    let file: LiveFile?

    var kind: RequestKind {
        if case .part = file { return .part }
        return .segment
    }
}

extension StitchedRoute {
    private static let folder = "stitched/"

    /// Start of the break of an ad's address in a live playlist, in seconds since the Unix epoch; nil for other addresses.
    static func breakStart(in address: String) -> Int64? {
        guard let found = address.firstRange(of: folder),
            found.lowerBound == address.startIndex || address[..<found.lowerBound].hasSuffix("/")
        else { return nil }
        return Int64(address[found.upperBound...].prefix { $0 != "/" })
    }

    init?(_ pieces: ArraySlice<Substring>, rendition: Int) {
        guard pieces.count == 4, pieces.first == "stitched" else { return nil }
        let rest = Array(pieces.dropFirst())
        guard let start = Int64(rest[0]), let dash = rest[1].firstIndex(of: "-"), let ad = Int(rest[1][..<dash]),
            (0..<3_600).contains(ad)
        else { return nil }
        let name = rest[2]
        let file: LiveFile?
        if name == "init.mp4" {
            file = nil
        } else if let part = PartName(file: name) {
            file = .part(part)
        } else if name.hasSuffix(".m4s"), let number = UInt64(name.dropLast(4)) {
            file = .segment(number)
        } else {
            return nil
        }
        self.init(rendition: rendition, start: start, ad: ad, file: file)
    }

    /// Counts a malformed path as a segment or a part, by its form.
    static func missing(_ pieces: ArraySlice<Substring>) -> Route {
        .missing(pieces.last.flatMap { PartName(file: $0) } == nil ? .segment : .part)
    }
}
