package import Audience
package import Rulebook
package import Time

/// How a request ended without an answer.
package struct AnswerFailure: Sendable, Equatable {
    package let cause: TransportFailure
    /// Whether it timed out so late that this machine stood still: the answer may have been there all the time.
    package let isOwnDelay: Bool

    package init(_ cause: TransportFailure, isOwnDelay: Bool = false) {
        self.cause = cause
        self.isOwnDelay = isOwnDelay
    }

    /// False for what this machine, its limits or its user brought about.
    var isOfTarget: Bool {
        guard !isOwnDelay else { return false }
        switch cause {
        case .unauthorisedHost, .redirectLimit, .localResources, .abandoned: return false
        default: return true
        }
    }
}

/// Gives the headers of the answer in hand.
package protocol AnswerHeaders: AnyObject {
    /// Hands over the bytes of a header's value, valid during the call; nil when the answer has none.
    ///
    /// - Parameters:
    ///   - name: In lower case.
    ///   - take: Reads the value.
    func read(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void)

    /// Seconds that the answer asks to wait (RFC 9110 section 10.2.3); nil where it does not, or names a date.
    var retryAfterSeconds: Int? { get }

    /// Seconds that the answer spent in caches (RFC 9111 section 5.1); nil where it does not say.
    var ageSeconds: Int? { get }

    /// The address and port that answered; empty where there was no connection.
    var remoteAddress: String { get }

    /// The trace id that the request carried; nil where it carried none.
    var traceID: String? { get }
}

/// One finished request, as a viewer gets it; valid during the call that it is given to.
///
/// Instants are zero when they never came.
package struct Answer: ~Copyable {
    package let role: ViewerRole
    /// Which of several requests of one role.
    package let index: UInt8
    /// Of the viewer's break that the request was for; 0 for none.
    package let breakSerial: UInt16
    /// nil when an answer arrived in full, whatever its status.
    package let failure: AnswerFailure?
    /// The last status received, 0 when there was none.
    package let status: Int
    /// Decoded; empty when it was not to be kept.
    package let body: UnsafeRawBufferPointer
    /// The URL that was asked last, after redirects; not redacted.
    package let url: String
    package let redirects: Int
    /// Whether a redirect led to a host of another name than the one before.
    package let leftHost: Bool
    /// What it says of its body that cannot be right.
    package let flaws: AnswerFlaws
    package let plannedAt: Instant
    package let sentAt: Instant
    /// The first byte of the last answer.
    package let firstByteAt: Instant
    package let doneAt: Instant
    private let headers: (any AnswerHeaders)?

    package init(
        _ role: ViewerRole,
        index: UInt8 = 0,
        breakSerial: UInt16 = 0,
        failure: AnswerFailure? = nil,
        status: Int,
        body: UnsafeRawBufferPointer,
        url: String,
        redirects: Int = 0,
        leftHost: Bool = false,
        flaws: AnswerFlaws = [],
        plannedAt: Instant,
        sentAt: Instant,
        firstByteAt: Instant,
        doneAt: Instant,
        headers: (any AnswerHeaders)? = nil
    ) {
        self.role = role
        self.index = index
        self.breakSerial = breakSerial
        self.failure = failure
        self.status = status
        self.body = body
        self.url = url
        self.redirects = redirects
        self.leftHost = leftHost
        self.flaws = flaws
        self.plannedAt = plannedAt
        self.sentAt = sentAt
        self.firstByteAt = firstByteAt
        self.doneAt = doneAt
        self.headers = headers
    }

    /// True for an answer with a status of 200 to 299.
    var isSuccess: Bool { failure == nil && (200..<300).contains(status) }

    /// True for a success that is final and came without redirects, and says nothing of itself that cannot be right.
    var isOrdinary: Bool { isSuccess && status != 202 && redirects == 0 && flaws.isEmpty }

    /// The value of a header of the last answer, the last one where it came several times; nil when there is none.
    ///
    /// The name is in lower case.
    func header(_ name: StaticString) -> String? {
        var value: String?
        headers?.read(name) { bytes in value = bytes.map { String(decoding: $0, as: UTF8.self) } }
        return value
    }

    /// Hands over the bytes of a header's value; not called where the answer has none.
    func readHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer) -> Void) {
        headers?.read(name) { bytes in
            if let bytes { take(bytes) }
        }
    }

    /// Whether a header has this value, byte for byte; makes no text of it.
    func header(_ name: StaticString, is value: StaticString) -> Bool {
        var isSame = false
        headers?.read(name) { bytes in
            isSame =
                bytes?.elementsEqual(UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
                ?? false
        }
        return isSame
    }

    /// Seconds that the answer asks to wait (RFC 9110 section 10.2.3); nil where it does not, or names a date.
    var retryAfterSeconds: Int? { headers?.retryAfterSeconds }

    /// Seconds that the answer spent in caches (RFC 9111 section 5.1); nil where it does not say.
    var ageSeconds: Int? { headers?.ageSeconds }

    /// The address and port that answered; empty where that is not known.
    var remoteAddress: String { headers?.remoteAddress ?? "" }

    /// The trace id that the request carried; nil where it carried none.
    var traceID: String? { headers?.traceID }

    /// Why a listed part of a pod could not be loaded; nil where that says nothing of the target.
    ///
    /// 401, 403 and 410 speak of the session. Deadlines are the player's own, and a break that misses one is late.
    var unreachableReason: String? {
        switch failure?.cause {
        case nil: status < 400 || [401, 403, 410].contains(status) ? nil : "status \(status)"
        case .connectRefused, .connectFailed: "no connection"
        case .reset: "connection reset"
        case .truncated: "the answer was cut off"
        case .protocolError: "the answer broke off or was no HTTP"
        case .dns: "the host is not known"
        case .tls: "no TLS session"
        default: nil
        }
    }

    /// What says that a cache answered; nil where nothing does.
    var signOfCache: String? {
        if let age = ageSeconds, age > 0 { return "Age \(age)" }
        guard let cache = header("x-cache"), cache.lowercased().contains("hit") else { return nil }
        return "X-Cache \(cache.prefix(64))"
    }
}
