package import Comparison
import Foundation
import Glibc
import HTTPTypes
import NIOCore
import Report
import Results
package import Transport
package import Values

/// One document at a time: many readers cost no more than one.
package actor LibraryDocuments {
    enum Refusal: Error {
        case unknown
        case impossible(String)
    }

    private let folder: String
    private let label: String
    private let shelf: RunShelf
    private var page: (list: RunList, html: String)?

    /// `folder` is as the user wrote it; `label` names the label that distinguishes releases.
    package init(folder: String, label: String, shelf: RunShelf) {
        (self.folder, self.label, self.shelf) = (folder, label, shelf)
    }

    /// Makes the first request fast.
    package func prepare() async {
        // The next request reports an error.
        _ = try? await index()
    }

    func index() async throws -> String {
        let list = await shelf.look()
        if let page, page.list == list { return page.html }
        let html = try LibraryPage(of: list, in: folder, base: nil, label: label).render()
        page = (list, html)
        return html
    }

    func list() async throws -> Data { try RunListDocument(await shelf.look()).json() }

    /// The existing page, or a new one; throws `Refusal` for paths outside the index and runs that cannot be shown.
    func report(at path: String) async throws -> Data {
        let list = await shelf.look()
        guard let row = list.rows.first(where: { Spelling($0.pagePath) == Spelling(path) }) else {
            let file = list.leftOut.first { Spelling("\($0.path.dropLast(".json".count)).html") == Spelling(path) }
            throw file.map { Refusal.impossible("\($0.path) cannot be shown: \($0.reason)") } ?? .unknown
        }
        // A user who can write to a folder of results must not be able to publish other files.
        if row.hasPage,
            let page = try? UntrustedFile.contents(of: "\(folder)/\(path)", mebibytes: 64, followsLinks: false)
        {
            return page
        }
        do {
            let json = try ResultFile.contents(of: "\(folder)/\(row.path)", followsLinks: false)
            return Data(try StoredResult.html(of: json).utf8)
        } catch {
            throw Refusal.impossible("\(row.path) cannot be shown: \(Self.words(error))")
        }
    }

    func comparison(_ base: String, _ candidate: String) async throws -> String {
        let rows = await shelf.look().rows
        let known = [base, candidate].compactMap { path in rows.first { Spelling($0.path) == Spelling(path) } }
        guard known.count == 2 else { throw Refusal.unknown }
        guard known.allSatisfy({ $0.kind != .capacity }) else {
            throw Refusal.impossible("Capacities are compared by podswarm compare --capacity.")
        }
        do {
            var times = [ResponseTimes(), ResponseTimes()]
            let sides = try known.enumerated().map { index, row in
                let path = "\(folder)/\(row.path)"
                let json = try ResultFile.contents(of: path, followsLinks: false)
                times[index].add(result: json)
                return ReleaseComparison.Side(inputs: [path], runs: [try RunFigures(json: json, path: path)])
            }
            return try ReleaseComparison().compare(sides[0], against: sides[1]).html(times[0], times[1])
        } catch {
            throw Refusal.impossible("They cannot be compared: \(Self.words(error))")
        }
    }

    private static func words(_ error: any Error) -> String {
        error is DecodingError ? "a damaged podswarm result" : "\(error)"
    }
}

extension LibraryDocuments {
    /// Returns once connections are accepted.
    package nonisolated func serve(at address: ListeningAddress) async throws(CannotListen) -> HTTPListener {
        // In the shared pool: rendering thousands of runs must not block the loop.
        try await HTTPListener(.pages(at: address)) { request in
            try await request.admit(at: address)
            try await request.deliver(await self.answer(to: request.head.path ?? "/"))
        }
    }

    /// Read-only, known paths only.
    fileprivate nonisolated func answer(to target: String) async -> ServedAnswer {
        do {
            guard let parts = URLComponents(string: target), parts.host == nil else { throw Refusal.unknown }
            switch parts.path {
            case "/": return .page(try await index().utf8)
            case "/results.json":
                return ServedAnswer(.ok, "application/json", ByteBuffer(bytes: try await list()))
                    .forBrowsers()
            case "/compare":
                let sides = ["base", "candidate"].compactMap { side in
                    parts.queryItems?.first { $0.name == side }?.value
                }
                guard sides.count == 2 else { throw Refusal.unknown }
                return .page(try await comparison(sides[0], sides[1]).utf8)
            default: return .page(try await report(at: String(parts.path.dropFirst())))
            }
        } catch Refusal.unknown {
            return .text(.notFound, "There is nothing here.").forBrowsers()
        } catch Refusal.impossible(let text) {
            return .text(.unprocessableContent, text).forBrowsers()
        } catch {
            return .text(.internalServerError, "The page cannot be made: \(error)").forBrowsers()
        }
    }
}
