/// How one request ended: the status the target answered with, or the failure that prevented an answer.
package enum Outcome: Hashable, Sendable {
    case status(UInt16)
    case failure(TransportFailure)

    /// The stable code under which results count this outcome, for example `http_503` or `connect_refused`.
    package var code: String {
        switch self {
        case .status(let status): "http_\(status)"
        case .failure(let failure): failure.code
        }
    }

    /// Whether the target answered with a status from 200 to 299.
    package var isSuccess: Bool {
        if case .status(200...299) = self { true } else { false }
    }

    /// Whether this counts against the target's share of errors.
    ///
    /// A request that podswarm itself cut off or never sent says nothing about the target.
    package var isError: Bool {
        switch self {
        case .status(let status): !(200...299).contains(status)
        case .failure(.abandoned), .failure(.unauthorisedHost), .failure(.localResources): false
        case .failure: true
        }
    }
}

/// The flat counter layout of outcomes: one slot per status below 600, one for stranger ones, one per failure.
enum OutcomeSlot {
    static let otherStatus = 600
    static let firstFailure = 601
    static let count = firstFailure + TransportFailure.allCases.count

    @inline(__always)
    static func index(of outcome: Outcome) -> Int {
        switch outcome {
        case .status(let status): min(Int(status), otherStatus)
        case .failure(let failure): firstFailure + Int(failure.rawValue)
        }
    }

    static func outcome(at index: Int) -> Outcome? {
        if index < firstFailure { return .status(UInt16(clamping: index)) }
        return TransportFailure(rawValue: UInt8(clamping: index - firstFailure)).map { .failure($0) }
    }

    static func slot(code: String) -> Int? { slotsByCode[code] }

    private static let slotsByCode = Dictionary(
        (0..<count).map { (code(at: $0), $0) },
        uniquingKeysWith: { first, _ in first }
    )

    static func code(at index: Int) -> String {
        index == otherStatus ? "http_other" : outcome(at: index)?.code ?? "other_failure"
    }
}
