package import Comparison
import Foundation
import Report
import Results
import Values

/// Creates the documents of a library, one at a time, so that many readers cost no more than one.
package actor LibraryDocuments {
    enum Refusal: Error {
        case unknown
        case impossible(String)
    }

    private let folder: String
    private let label: String
    private let shelf: RunShelf
    /// The last index page, with its list.
    private var page: (list: RunList, html: String)?

    /// `folder` is as the user wrote it; `label` names the label that distinguishes releases; `shelf` is of the same folder.
    package init(folder: String, label: String, shelf: RunShelf) {
        self.folder = folder
        self.label = label
        self.shelf = shelf
    }

    /// Reads the folder and renders its page, so that the first request is fast.
    package func prepare() async {
        // An error is reported to the next request.
        _ = try? await index()
    }

    func index() async throws -> String {
        let list = await shelf.look()
        if let page, page.list == list { return page.html }
        let html = try LibraryPage(of: list, .init(place: .server(folder: folder), label: label)).render()
        page = (list, html)
        Task { [shelf] in await shelf.remember() }
        return html
    }

    func list() async throws -> Data { try RunListDocument(await shelf.look()).json() }

    /// The page of one run in UTF-8: the existing one, or else a new one.
    ///
    /// Only paths in the index are served.
    ///
    /// - Throws: `Refusal`.
    func report(at path: String) async throws -> Data {
        let rows = await shelf.look().rows
        guard let row = rows.first(where: { Spelling($0.pagePath) == Spelling(path) }) else { throw Refusal.unknown }
        if row.hasPage, let page = RegularFile.contents(of: "\(folder)/\(path)") { return page }
        do {
            return Data(try StoredResult.html(of: ResultFile.contents(of: "\(folder)/\(row.path)")).utf8)
        } catch {
            throw Refusal.impossible("\(row.path) cannot be shown: \(Self.words(error))")
        }
    }

    func comparison(_ base: String, _ candidate: String) async throws -> String {
        let rows = await shelf.look().rows
        let known = [base, candidate].compactMap { path in rows.first { Spelling($0.path) == Spelling(path) } }
        guard known.count == 2 else { throw Refusal.unknown }
        guard known.allSatisfy({ $0.kind != .capacity }) else {
            throw Refusal.impossible("A capacity is held against another by podswarm compare --capacity.")
        }
        do {
            let sides = try known.map { row in
                let path = "\(folder)/\(row.path)"
                return StoredResult(try ResultDocument(json: ResultFile.contents(of: path)), at: path)
            }
            return try sides[0].html(against: sides[1])
        } catch {
            throw Refusal.impossible("They cannot be compared: \(Self.words(error))")
        }
    }

    private static func words(_ error: any Error) -> String {
        error is DecodingError ? "a damaged podswarm result" : "\(error)"
    }
}
