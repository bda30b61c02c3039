import Rulebook

/// The differences last found between a playlist and the other one that it is compared with.
///
/// A change that reaches both is seen in one of them first. So a difference counts once it is seen against two versions
/// of the other playlist in a row.
package struct RenditionDeviations: Sendable {
    private var codes: [FindingCode] = []
    /// Those of them that were found beside an earlier version of the other playlist as well.
    private var lasting: [FindingCode] = []
    /// Of the other playlist, when these codes were found.
    private var reference = 0

    package init() {}

    /// Takes up what a new version shows.
    ///
    /// - Parameters:
    ///   - violations: What differs between the new version and the newest of the other playlist.
    ///   - version: Which version of the other playlist that was; any number that tells them apart.
    /// - Returns: What differed before as well, from an earlier version.
    package mutating func confirmed(_ violations: [Violation], beside version: Int) -> [Violation] {
        guard version != reference || codes.isEmpty else {
            // The other one has not been loaded again: nothing more is confirmed, and nothing new counts as known. A
            // confirmed difference holds for every version that came since, such as those of several edges.
            codes.removeAll { code in !violations.contains { $0.code == code } }
            lasting.removeAll { !codes.contains($0) }
            return violations.filter { lasting.contains($0.code) }
        }
        let found = violations.map(\.code)
        lasting = found.filter(codes.contains)
        codes = found
        reference = version
        return violations.filter { lasting.contains($0.code) }
    }

    /// Forgets everything, where the two cannot be compared any more.
    package mutating func forget() {
        codes = []
        lasting = []
    }
}
