/// Paths and times of the reference origin in a run.
package enum OriginLayout {
    package static let multivariantPath = "/live/main/multivariant.m3u8"
    package static let healthPath = "/origin/health"
    package static let truthPath = "/origin/truth.json"
    /// Time of each answer in virtual time, and in a bill.
    package static let answerTime = Duration.milliseconds(1)
    /// From the start of an origin to the first join: long enough for every loop to be ready.
    static let headStart = Duration.milliseconds(500)
    /// Port of an origin without a socket: as many digits as the system's ports, because bodies repeat it.
    static let virtualPort = 49_152
    static let virtualBase = "http://127.0.0.1:\(virtualPort)"
}
