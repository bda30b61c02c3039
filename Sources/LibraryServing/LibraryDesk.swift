import CapacityResult
import Foundation
import JSON
import Report
package import RunLibrary
import RunResult

/// Makes what is asked of a library: one thing after another, so that many readers cost no more than one.
package actor LibraryDesk {
    /// Why a page cannot be made.
    enum Refusal: Error {
        case unknown
        case impossible(String)
    }

    private let folder: String
    private let label: String
    private let shelf: RunShelf
    /// The page that was made last, of what.
    private var page: (list: RunList, html: String)?

    /// - Parameters:
    ///   - folder: As the user wrote it.
    ///   - label: The name of the label that tells releases apart.
    ///   - shelf: The same folder.
    package init(folder: String, label: String, shelf: RunShelf) {
        self.folder = folder
        self.label = label
        self.shelf = shelf
    }

    /// Reads the folder and makes its page, so that the first who asks finds most of it done.
    package func prepare() async {
        // What keeps the page from being made is told to whoever asks for it.
        _ = try? await index()
    }

    /// All runs, as the folder is now.
    func index() async throws -> String {
        let list = await shelf.look()
        if let page, page.list == list { return page.html }
        let html = try LibraryPage(of: list, .init(place: .server(folder: folder), label: label)).render()
        page = (list, html)
        Task { [shelf] in await shelf.remember() }
        return html
    }

    /// All runs, for programs.
    func list() async throws -> Data { try RunListDocument(await shelf.look()).json() }

    /// The page of one run: the one that lies beside it, or else one that is made now.
    ///
    /// - Parameter path: As the index names it; nothing but what stands there is looked for.
    /// - Returns: HTML in UTF-8.
    /// - Throws: `Refusal`.
    func report(at path: String) async throws -> Data {
        let rows = await shelf.look().rows
        guard let row = rows.first(where: { Spelling($0.pagePath) == Spelling(path) }) else { throw Refusal.unknown }
        if row.hasPage, let page = RegularFile.contents(of: "\(folder)/\(path)") { return page }
        do {
            return Data(try HTMLReport.page(of: ResultFile.contents(of: "\(folder)/\(row.path)")).utf8)
        } catch {
            throw Refusal.impossible("\(row.path) cannot be shown: \(Self.words(error))\n")
        }
    }

    /// Two runs held against each other.
    func comparison(_ base: String, _ candidate: String) async throws -> String {
        let rows = await shelf.look().rows
        let known = [base, candidate].compactMap { path in rows.first { Spelling($0.path) == Spelling(path) } }
        guard known.count == 2 else { throw Refusal.unknown }
        guard known.allSatisfy({ $0.kind != .capacity }) else {
            throw Refusal.impossible("A capacity is held against another by podswarm compare --capacity.\n")
        }
        do {
            let sides = try known.map { row in
                let path = "\(folder)/\(row.path)"
                return HTMLReport.Stored(try ResultDocument(json: ResultFile.contents(of: path)), at: path)
            }
            return try HTMLReport.comparison(sides[0], against: sides[1])
        } catch {
            throw Refusal.impossible("They cannot be compared: \(Self.words(error))\n")
        }
    }

    private static func words(_ error: any Error) -> String {
        error is DecodingError ? "a damaged podswarm result" : "\(error)"
    }
}
