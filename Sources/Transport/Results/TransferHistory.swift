import Rulebook
import Time

/// What became of a transfer on its way, over all its hops and connections.
struct TransferHistory {
    /// When the transfer began, zero before that: the total timeout counts from here.
    var startedAt = Instant.zero
    /// The moment the request was first about to be written to a connection, zero before that.
    var sentAt = Instant.zero
    var connectMicroseconds: Int64 = 0
    var tlsMicroseconds: Int64 = 0
    /// Of waiting for a connection that another request opened, or for room in what the server takes at once.
    var awaitedMicroseconds: Int32 = 0
    /// Time that answers which led on had lain in their sockets: no time of the target.
    private(set) var handlingMicroseconds: Int32 = 0
    /// Times a request was put on a connection.
    var sends: Int16 = 0
    var newConnections: Int16 = 0
    var redirects: Int16 = 0
    /// What was wrong with the answers that led on.
    var flaws: AnswerFlaws = []
    /// A redirect led to a host of another name.
    var leftHost = false
    /// How often servers have refused to look at the request.
    var refusals: UInt8 = 0

    /// Notes that a request is about to be written.
    mutating func sent(at now: Instant) {
        if sentAt == .zero { sentAt = now }
        sends &+= 1
    }

    /// Notes that an answer led on, once it was read.
    mutating func ledOn(_ times: AnswerTimes) {
        guard times.receivedAt != .zero else { return }
        let handling = max(0, times.doneAt &- times.receivedAt) / 1_000
        handlingMicroseconds = Int32(clamping: Int64(handlingMicroseconds) &+ handling)
    }

    /// A moment of the last answer as it would have been, had the answers that led on to it been read at once.
    ///
    /// Zero, which stands for a moment that never came, stays zero.
    func withoutHandling(_ moment: Instant) -> Instant {
        guard handlingMicroseconds != 0, moment != .zero else { return moment }
        return max(sentAt, moment &- Int64(handlingMicroseconds) &* 1_000)
    }
}
