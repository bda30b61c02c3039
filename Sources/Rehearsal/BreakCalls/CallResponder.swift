import AdServing
import Foundation
import HTTPTypes
import NIOCore
import Transport
import Values

/// Answers calls over HTTP.
///
/// `POST /breaks` with a body that `BreakCall` can parse is answered 202 with the break, or 4xx with the reason.
struct CallResponder: Sendable {
    static let path = "/breaks"

    let access: ClientAccess
    let take: @Sendable ([UInt8]) async -> Result<ScheduledBreak, CallRefusal>

    /// Answers one request; throws only to end its connection.
    func respond(to request: ServedRequest) async throws {
        try await request.deliver(await answer(to: request))
    }

    private func answer(to request: ServedRequest) async -> ServedAnswer {
        let head = request.head
        if let refusal = ServedAnswer.refusal(of: head, by: access, "run") { return refusal }
        // A browser names the page that sends a form here; no page has a reason to.
        guard access.token != nil || head.headerFields[.origin] == nil else {
            return .text(.forbidden, "Without a token no web page calls for breaks.")
        }
        guard head.path == Self.path else { return .text(.notFound, "There is nothing here: POST \(Self.path).") }
        guard head.method == .post else { return .text(.methodNotAllowed, "POST only.", allowing: "POST") }
        do {
            return ServedAnswer(await take(Array(try await request.body().readableBytesView)))
        } catch is BodyTooLarge {
            return .text(.contentTooLarge, "At most \(BreakCall.longestText) bytes.")
        } catch {
            return .text(.badRequest, "The body did not come.")
        }
    }
}

extension ServedAnswer {
    fileprivate init(_ result: Result<ScheduledBreak, CallRefusal>) {
        switch result {
        case .success(let scheduled):
            guard let json = try? DocumentEncoding([.sortedKeys, .withoutEscapingSlashes]).encode(TakenCall(scheduled))
            else {
                self = .text(.internalServerError, "The break is called for, and cannot be written as JSON.")
                return
            }
            self.init(.accepted, "application/json", ByteBuffer(bytes: json + [0x0A]))
        case .failure(let refusal):
            self = .text(refusal.status, refusal.text)
            if refusal.status == .tooManyRequests { fields[.retryAfter] = "60" }
        }
    }
}

struct TakenCall: Codable, Equatable, Sendable {
    var id: String
    var start: String
    var durationMilliseconds: Int64
    var ordinal: Int
    var scte35: String?

    init(_ scheduled: ScheduledBreak) {
        id = scheduled.dateRangeID ?? scheduled.key
        start = scheduled.start.iso8601
        durationMilliseconds = scheduled.duration.nanosecondsHeld / 1_000_000
        ordinal = scheduled.ordinal
        scte35 = scheduled.scte35
    }
}

extension CallRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .outOfBounds: .unprocessableContent
        case .conflict: .conflict
        case .tooMany: .tooManyRequests
        case .closed: .serviceUnavailable
        }
    }
}
