package import Rules
package import Values
package import Viewer

package struct AnswerFailure: Sendable, Equatable {
    package let cause: TransportFailure
    /// Whether it timed out because this machine stood still, so that the answer may have been there.
    package let isOwnDelay: Bool

    package init(_ cause: TransportFailure, isOwnDelay: Bool = false) {
        self.cause = cause
        self.isOwnDelay = isOwnDelay
    }

    /// False for failures caused by this machine, its limits or its user.
    var isOfTarget: Bool {
        guard !isOwnDelay else { return false }
        switch cause {
        case .unauthorisedHost, .redirectLimit, .localResources, .abandoned: return false
        default: return true
        }
    }
}

package protocol AnswerHeaders: AnyObject {
    /// Passes the bytes of a header's value, valid during the call; nil without the header.
    ///
    /// `name` is in lower case.
    func read(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void)

    /// Retry-After in seconds (RFC 9110 section 10.2.3); nil without one, and for a date.
    var retryAfterSeconds: Int? { get }

    /// Age in seconds (RFC 9111 section 5.1).
    var ageSeconds: Int? { get }

    /// Address and port; empty without a connection.
    var remoteAddress: String { get }

    var traceID: String? { get }
}

/// One finished request of a viewer; valid during the call that receives it.
///
/// Instants that never came are zero.
package struct Answer: ~Copyable {
    package let role: ViewerRole
    /// Distinguishes simultaneous requests of one role.
    package let index: UInt8
    /// Serial of the viewer's break; 0 for none.
    package let breakSerial: UInt16
    /// Nil when an answer arrived in full, whatever its status.
    package let failure: AnswerFailure?
    /// Status of the last answer; 0 without one.
    package let status: Int
    /// Decoded; empty if it was not kept.
    package let body: UnsafeRawBufferPointer
    /// Last URL after redirects; not redacted.
    package let url: String
    package let redirects: Int
    /// Whether a redirect led to a host of another name.
    package let leftHost: Bool
    package let flaws: AnswerFlaws
    package let plannedAt: Instant
    package let sentAt: Instant
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

    var isSuccess: Bool { failure == nil && (200..<300).contains(status) }

    /// Whether it is a final success without redirects and flaws.
    var isOrdinary: Bool { isSuccess && status != 202 && redirects == 0 && flaws.isEmpty }

    /// Value of a header of the last answer, its last one if repeated.
    ///
    /// `name` is in lower case.
    func header(_ name: StaticString) -> String? {
        var value: String?
        headers?.read(name) { bytes in value = bytes.map { String(decoding: $0, as: UTF8.self) } }
        return value
    }

    /// Passes the bytes of a header's value; not called without the header.
    func readHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer) -> Void) {
        headers?.read(name) { bytes in
            if let bytes { take(bytes) }
        }
    }

    /// Compares a header's value byte for byte, without creating a string.
    func header(_ name: StaticString, is value: StaticString) -> Bool {
        var isSame = false
        headers?.read(name) { bytes in
            isSame =
                bytes?.elementsEqual(UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
                ?? false
        }
        return isSame
    }

    var retryAfterSeconds: Int? { headers?.retryAfterSeconds }

    var ageSeconds: Int? { headers?.ageSeconds }

    var remoteAddress: String { headers?.remoteAddress ?? "" }

    var traceID: String? { headers?.traceID }

    /// The failure, or a status that is one; nil for other statuses, and for failures of this machine or its user.
    func problem(where isProblem: (Int) -> Bool) -> String? {
        guard let failure else { return isProblem(status) ? "status \(status)" : nil }
        return failure.isOfTarget ? "no answer: \(failure.cause.code)" : nil
    }

    /// Reason why a listed part of a pod could not be loaded; nil if the target is not to blame.
    ///
    /// 401, 403 and 410 concern the session. Deadlines are the player's own, and a break that misses one is late.
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

    /// Header that shows a cache hit; nil without one.
    var signOfCache: String? {
        if let age = ageSeconds, age > 0 { return "Age \(age)" }
        guard let cache = header("x-cache"), cache.lowercased().contains("hit") else { return nil }
        return "X-Cache \(cache.prefix(64))"
    }
}
