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
    private static let patience = TimeAmount.seconds(10)

    let access: ClientAccess
    let take: @Sendable ([UInt8]) async -> Result<ScheduledBreak, CallRefusal>

    /// Answers one request; throws only to end its connection.
    func respond(to request: ServedRequest) async throws {
        let answer = await answer(to: request)
        let connection = request.connection
        let patience = connection.eventLoop.scheduleTask(in: Self.patience) { connection.close(promise: nil) }
        defer { patience.cancel() }
        try await request.deliver(answer.head, answer.body)
    }

    private func answer(to request: ServedRequest) async -> CallAnswer {
        let head = request.head
        switch access.refusal(of: head) {
        case .misdirected:
            return CallAnswer(.misdirectedRequest, "Without a token this is served at an address or as localhost only.")
        case .unauthorised:
            // RFC 6750 section 3.
            var answer = CallAnswer(.unauthorized, "This run asks for its token.")
            answer.head.headerFields[.wwwAuthenticate] = "Bearer"
            return answer
        case nil: break
        }
        // A browser names the page that sends a form here; no page has a reason to.
        guard access.token != nil || head.headerFields[.origin] == nil else {
            return CallAnswer(.forbidden, "Without a token no web page calls for breaks.")
        }
        guard head.path == Self.path else { return CallAnswer(.notFound, "There is nothing here: POST \(Self.path).") }
        guard head.method == .post else {
            var answer = CallAnswer(.methodNotAllowed, "POST only.")
            answer.head.headerFields[.allow] = "POST"
            return answer
        }
        do {
            return CallAnswer(await take(Array(try await request.body().readableBytesView)))
        } catch is BodyTooLarge {
            return CallAnswer(.contentTooLarge, "At most \(BreakCall.longestText) bytes.")
        } catch {
            return CallAnswer(.badRequest, "The body did not come.")
        }
    }
}

private struct CallAnswer {
    var head: HTTPResponse
    let body: ByteBuffer

    init(_ status: HTTPResponse.Status, _ text: String) {
        self.init(status, "text/plain; charset=utf-8", ByteBuffer(string: text + "\n"))
    }

    init(_ result: Result<ScheduledBreak, CallRefusal>) {
        switch result {
        case .success(let scheduled):
            guard let json = try? DocumentEncoding([.sortedKeys, .withoutEscapingSlashes]).encode(TakenCall(scheduled))
            else {
                self.init(.internalServerError, "The break is called for, and cannot be written as JSON.")
                return
            }
            self.init(.accepted, "application/json", ByteBuffer(bytes: json + [0x0A]))
        case .failure(let refusal):
            self.init(refusal.status, refusal.text)
            if refusal.status == .tooManyRequests { head.headerFields[.retryAfter] = "60" }
        }
    }

    private init(_ status: HTTPResponse.Status, _ type: String, _ body: ByteBuffer) {
        head = HTTPResponse(status: status)
        head.headerFields[.contentType] = type
        head.headerFields[.contentLength] = String(body.readableBytes)
        head.headerFields[.cacheControl] = "no-store"
        head.headerFields[.xContentTypeOptions] = "nosniff"
        self.body = body
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
