/// The differences last found between a playlist and the other one that it is compared with.
///
/// A change that reaches both is visible in one of them first. A difference therefore counts once it is found against two
/// consecutive versions of the other playlist.
package struct RenditionDeviations: Sendable {
    private var codes: [FindingCode] = []
    /// Codes that were also found beside an earlier version of the other playlist.
    private var lasting: [FindingCode] = []
    /// Version of the other playlist at that time.
    private var reference = 0

    package init() {}

    /// Records the differences of a new version, and returns those that were found against an earlier version as well.
    ///
    /// `version` is any number that identifies the version of the other playlist.
    package mutating func confirmed(_ violations: [Violation], beside version: Int) -> [Violation] {
        guard version != reference || codes.isEmpty else {
            // The other one has not been loaded again: nothing more is confirmed, and nothing new counts as known. A confirmed
            // difference holds for every version that came since, such as those of several edges.
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

    package mutating func forget() {
        codes = []
        lasting = []
    }
}
