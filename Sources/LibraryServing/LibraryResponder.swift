import Foundation
import HTTPServing
import HTTPTypes
import LiveView
import NIOCore

/// Ends a connection on purpose, after what was to be said has been said.
private struct DeliberateClose: Error {}

/// Answers the requests for a library: reading only, and by names that cannot be somebody else's.
struct LibraryResponder: Sendable {
    /// A reader that takes nothing for this long is let go.
    private static let writePatience = TimeAmount.seconds(10)

    let desk: LibraryDesk
    let hosts: HostPolicy

    /// Answers one request; throws only to end its connection.
    func respond(to request: ServedRequest) async throws {
        let head = request.head
        guard !Self.hasBody(head.headerFields) else {
            return try await refuse(.contentTooLarge, "No request here has a body.\n", request)
        }
        guard head.method == .get || head.method == .head else {
            return try await refuse(.methodNotAllowed, "GET or HEAD only.\n", request)
        }
        guard hosts.allows(head.authority) else {
            let text = "This name is not one that podswarm serves at; use the address, or give the name to podswarm.\n"
            return try await refuse(.misdirectedRequest, text, request)
        }
        let answer = await answer(to: head.path ?? "/")
        let patience = request.connection.eventLoop.scheduleTask(in: Self.writePatience) {
            [connection = request.connection] in
            connection.close(promise: nil)
        }
        defer { patience.cancel() }
        try await request.deliver(answer.head, answer.body)
    }

    private static func hasBody(_ fields: HTTPFields) -> Bool {
        fields[.transferEncoding] != nil || fields[.contentLength].map { $0 != "0" } ?? false
    }

    private func refuse(_ status: HTTPResponse.Status, _ text: String, _ request: ServedRequest) async throws {
        var answer = LibraryAnswer(.plain, Data(text.utf8), status: status)
        answer.fields[.connection] = "close"
        if status == .methodNotAllowed { answer.fields[.allow] = "GET, HEAD" }
        try await request.deliver(answer.head, answer.body)
        // What else the client sends is not read.
        throw DeliberateClose()
    }

    private func answer(to target: String) async -> LibraryAnswer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? String(parts[1]) : ""
        do {
            switch parts[0] {
            case "/": return LibraryAnswer(.page, Data(try await desk.index().utf8))
            case "/results.json": return LibraryAnswer(.json, try await desk.list())
            case "/compare":
                let sides = ["base", "candidate"].compactMap { Self.value($0, in: query) }
                guard sides.count == 2 else { throw LibraryDesk.Refusal.unknown }
                return LibraryAnswer(.page, Data(try await desk.comparison(sides[0], sides[1]).utf8))
            default:
                guard let path = parts[0].dropFirst().removingPercentEncoding else { throw LibraryDesk.Refusal.unknown }
                return LibraryAnswer(.page, try await desk.report(at: path))
            }
        } catch LibraryDesk.Refusal.unknown {
            return LibraryAnswer(.plain, Data("There is nothing here.\n".utf8), status: .notFound)
        } catch LibraryDesk.Refusal.impossible(let text) {
            return LibraryAnswer(.plain, Data(text.utf8), status: .unprocessableContent)
        } catch {
            let text = "The page cannot be made: \(error)\n"
            return LibraryAnswer(.plain, Data(text.utf8), status: .internalServerError)
        }
    }

    private static func value(_ name: String, in query: String) -> String? {
        query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
            .flatMap { String($0.dropFirst(name.utf8.count + 1)).removingPercentEncoding }
    }
}

/// One answer, with what a browser may do with it.
struct LibraryAnswer {
    enum Kind {
        case plain
        case json
        case page
    }

    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: ByteBuffer

    init(_ kind: Kind, _ bytes: Data, status: HTTPResponse.Status = .ok) {
        self.status = status
        body = ByteBuffer(bytes: bytes)
        // A page's own policy names its style and script by digest; this one holds for pages that were altered, too.
        let sources = kind == .page ? "img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " : ""
        fields = [
            .contentType: kind.contentType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy:
                "default-src 'none'; \(sources)base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            .crossOriginResourcePolicy: "same-origin", .contentLength: String(body.readableBytes),
        ]
    }

    var head: HTTPResponse { HTTPResponse(status: status, headerFields: fields) }
}

extension LibraryAnswer.Kind {
    fileprivate var contentType: String {
        switch self {
        case .plain: "text/plain; charset=utf-8"
        case .json: "application/json"
        case .page: "text/html; charset=utf-8"
        }
    }
}
