import Rules

/// Flat counter layout of outcomes: one slot per status below 600, one for all others, one per failure.
enum OutcomeSlot {
    static let otherStatus = 600
    static let firstFailure = 601
    static var count: Int { firstFailure + TransportFailure.count }

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
