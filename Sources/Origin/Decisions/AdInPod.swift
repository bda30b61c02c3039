/// An ad in a place of a pod, as the addresses of its segments name it where these carry media ids.
struct AdInPod: Sendable, Hashable {
    /// As spelt in paths.
    let identifier: String
    /// The pod decision's.
    let token: String
    /// From 0.
    let place: Int
    let milliseconds: Int

    /// What stands in a path before the file.
    var folder: String { "\(token)-\(place)-\(milliseconds)" }

    init(identifier: String, token: String, place: Int, milliseconds: Int) {
        self.identifier = identifier
        self.token = token
        self.place = place
        self.milliseconds = milliseconds
    }

    /// Nil for a folder that was not spelt here.
    init?(identifier: String, folder: some StringProtocol) {
        let pieces = folder.split(separator: "-", omittingEmptySubsequences: false)
        guard pieces.count == 3, let place = Int(pieces[1]), let milliseconds = Int(pieces[2]), place >= 0,
            (1...PodLimits.maximumSeconds * 1_000).contains(milliseconds)
        else { return nil }
        self.init(identifier: identifier, token: String(pieces[0]), place: place, milliseconds: milliseconds)
    }
}
