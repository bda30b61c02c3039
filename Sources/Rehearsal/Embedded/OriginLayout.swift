/// Where the reference origin keeps what a run asks of it.
package enum OriginLayout {
    package static let multivariantPath = "/live/main/multivariant.m3u8"
    package static let healthPath = "/origin/health"
    package static let truthPath = "/origin/truth.json"
    /// How long each answer takes in virtual time, and in a bill.
    package static let answerTime = Duration.milliseconds(1)
    /// How long an origin lives before the first viewer joins: long enough for every loop to be ready.
    static let headStart = Duration.milliseconds(500)
    /// Port of an origin without a socket: as many digits as those that the system gives, since bodies repeat it.
    static let virtualPort = 49_152
    static let virtualBase = "http://127.0.0.1:\(virtualPort)"
}
