import Foundation
import Mustache
import OpenSSL

/// The page's templates, style and script, as shipped beside the executable.
struct PageTemplates: Sendable {
    /// A template that the page needs is not among the resources.
    struct MissingTemplate: Error, CustomStringConvertible {
        let name: String
        var description: String { "the template '\(name)' is not installed beside the executable" }
    }

    /// What stands around every page's content.
    private struct Frame {
        var title: String
        var profile: String
        var facts: [String]
        var links: [PageLink]
        var skip: PageLink
        var policy: String
        var style: Markup
        var script: Markup
        var content: Markup
        var version: String
    }

    static let names = [
        "page", "report", "break", "breakcard", "finding", "comparison", "trend", "capacity", "library",
    ]

    private let library: MustacheLibrary
    let style: String
    let script: String

    /// Reads all templates.
    ///
    /// - Throws: An error of the file system, or of Mustache where a template is malformed.
    init() throws {
        var library = MustacheLibrary()
        for name in Self.names {
            library.register(try Self.template(Self.resource("\(name).mustache")), named: name)
        }
        self.library = library
        style = try Self.resource("style.css")
        script = try Self.resource("script.js")
    }

    private static func resource(_ name: String) throws -> String {
        let file = Bundle.module.bundleURL.appending(path: "Templates/\(name)")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { throw MissingTemplate(name: name) }
        return text
    }

    /// A template that escapes scalar by scalar; see `HTMLText`.
    ///
    /// - Parameter text: The resource as it is, without a content type.
    /// - Returns: The template, parsed.
    /// - Throws: Where it is malformed.
    static func template(_ text: String) throws -> MustacheTemplate {
        // A content type must be known before a template that names it is parsed, and holds for that template alone.
        MustacheContentTypes.register(HTMLText(), named: HTMLText.contentType)
        return try MustacheTemplate(string: "{{% CONTENT_TYPE: \(HTMLText.contentType)}}" + text)
    }

    /// A piece of a page.
    ///
    /// - Parameters:
    ///   - name: The template's name, without its ending.
    ///   - model: What it shows.
    /// - Returns: HTML in which all of the model's text is escaped.
    /// - Throws: `MissingTemplate`.
    func render(_ name: String, _ model: some Any) throws -> Markup {
        guard let text = library.render(model, withTemplate: name) else { throw MissingTemplate(name: name) }
        return Markup(trusted: text)
    }

    /// A whole page that needs no network.
    ///
    /// - Parameters:
    ///   - heading: What stands at its top.
    ///   - content: What stands below.
    ///   - own: The name of a style and a script that this kind of page has besides those of all; nil for none.
    /// - Returns: HTML.
    /// - Throws: `MissingTemplate`.
    func page(_ heading: PageHeading, content: Markup, own: String? = nil) throws -> String {
        let style = try style + (own.map { try Self.resource("\($0).css") } ?? "")
        let script = try script + (own.map { try Self.resource("\($0).js") } ?? "")
        let frame = Frame(
            title: heading.title,
            profile: heading.name,
            facts: heading.facts,
            links: heading.links,
            skip: heading.skip,
            policy: Self.policy(style, script),
            style: Markup(trusted: style),
            script: Markup(trusted: script),
            content: content,
            version: heading.version
        )
        return try render("page", frame).renderText
    }

    /// Nothing but the page's own style and script, told by their digests: whatever slipped into the text stays inert.
    private static func policy(_ style: String, _ script: String) -> String {
        "default-src 'none'; style-src '\(digest(of: style))'; script-src '\(digest(of: script))';"
            + " base-uri 'none'; form-action 'none'"
    }

    private static func digest(of text: String) -> String {
        "sha256-" + Data(Digest.sha256(of: Array(text.utf8))).base64EncodedString()
    }
}

/// A section that can be jumped to.
struct PageLink: Sendable {
    var anchor: String
    var title: String
}

/// What stands at the top of a page.
struct PageHeading: Sendable {
    /// Of the window.
    var title: String
    /// In the page.
    var name: String
    var facts: [String]
    var links: [PageLink]
    /// Where somebody who walks through a page by keyboard wants to go first.
    var skip = PageLink(anchor: "verdict", title: "Skip to the verdict")
    var version: String
}
