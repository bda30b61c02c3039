/// An ad at a position of a pod, named in segment addresses that carry media ids.
struct AdInPod: Sendable, Hashable {
    let identifier: String
    let token: String
    let place: Int
    let milliseconds: Int

    var folder: String { "\(token)-\(place)-\(milliseconds)" }

    init(identifier: String, token: String, place: Int, milliseconds: Int) {
        self.identifier = identifier
        self.token = token
        self.place = place
        self.milliseconds = milliseconds
    }

    /// Nil unless the folder has the form of ``folder``.
    init?(identifier: String, folder: some StringProtocol) {
        let pieces = folder.split(separator: "-", omittingEmptySubsequences: false)
        guard pieces.count == 3, let place = Int(pieces[1]), let milliseconds = Int(pieces[2]), place >= 0,
            (1...PodLimits.maximumSeconds * 1_000).contains(milliseconds)
        else { return nil }
        self.init(identifier: identifier, token: String(pieces[0]), place: place, milliseconds: milliseconds)
    }
}
