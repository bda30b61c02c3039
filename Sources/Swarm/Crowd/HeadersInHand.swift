import Audit
import Transport

/// The headers of the answer that a crowd is handling; empty between answers.
///
/// Confined to its loop.
final class HeadersInHand: AnswerHeaders {
    private var result: UnsafePointer<TransferResult>?

    func during<Outcome>(
        _ result: borrowing TransferResult,
        _ body: (UnsafePointer<TransferResult>) -> Outcome
    ) -> Outcome {
        withUnsafePointer(to: result) { pointer in
            let outer = self.result
            self.result = pointer
            defer { self.result = outer }
            return body(pointer)
        }
    }

    var isInHand: Bool { result != nil }

    func read(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        guard let result else {
            take(nil)
            return
        }
        result.pointee.readHeader(name, take)
    }

    var retryAfterSeconds: Int? { result?.pointee.retryAfterSeconds }

    var ageSeconds: Int? { result?.pointee.ageSeconds }

    var remoteAddress: String { result?.pointee.remoteAddress ?? "" }

    var traceID: String? { result?.pointee.trace?.traceID }
}
