/// How a run ended: what no interval says.
package struct RunEnding: Equatable, Codable, Sendable {
    /// Microseconds since the Unix epoch.
    package var endedAtMicroseconds: Int64
    package var interrupted: Bool
    /// The abort condition that ended the run early, as it was written.
    package var abortedBy: String?

    package init(endedAtMicroseconds: Int64, interrupted: Bool = false, abortedBy: String? = nil) {
        self.endedAtMicroseconds = endedAtMicroseconds
        self.interrupted = interrupted
        self.abortedBy = abortedBy
    }

    private enum CodingKeys: String, CodingKey {
        case endedAtMicroseconds = "ended_at_us"
        case interrupted
        case abortedBy = "aborted_by"
    }
}
