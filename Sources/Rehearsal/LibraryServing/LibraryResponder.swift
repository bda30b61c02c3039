import Foundation
import HTTPTypes
import NIOCore

/// Answers the requests for a library, read-only and by known paths only.
struct LibraryResponder: Sendable {
    let documents: LibraryDocuments

    /// Throws only if the reader has disconnected.
    func respond(to turn: PageTurn) async throws {
        try await turn.deliver(await answer(to: turn.head.path ?? "/"))
    }

    private func answer(to target: String) async -> ServedAnswer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? String(parts[1]) : ""
        do {
            switch parts[0] {
            case "/": return .page(try await documents.index().utf8)
            case "/results.json":
                return ServedAnswer(.ok, "application/json", ByteBuffer(bytes: try await documents.list()))
                    .forBrowsers()
            case "/compare":
                let sides = ["base", "candidate"].compactMap { Self.value($0, in: query) }
                guard sides.count == 2 else { throw LibraryDocuments.Refusal.unknown }
                return .page(try await documents.comparison(sides[0], sides[1]).utf8)
            default:
                guard let path = parts[0].dropFirst().removingPercentEncoding else {
                    throw LibraryDocuments.Refusal.unknown
                }
                return .page(try await documents.report(at: path))
            }
        } catch LibraryDocuments.Refusal.unknown {
            return .text(.notFound, "There is nothing here.").forBrowsers()
        } catch LibraryDocuments.Refusal.impossible(let text) {
            return .text(.unprocessableContent, text).forBrowsers()
        } catch {
            return .text(.internalServerError, "The page cannot be made: \(error)").forBrowsers()
        }
    }

    private static func value(_ name: String, in query: String) -> String? {
        query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
            .flatMap { String($0.dropFirst(name.utf8.count + 1)).removingPercentEncoding }
    }
}
