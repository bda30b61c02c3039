package import RunLibrary
import RunResult

/// All runs of a folder on one self-contained page: nights, releases, and a list that can be filtered.
package struct LibraryPage: Sendable {
    /// Where the page is read.
    package enum Place: Sendable {
        /// From a file. The base leads from it to the folder of the results, and is empty or ends with a slash; the folder is
        /// as the user would write it.
        case file(base: String, folder: String)
        /// From a server that makes pages of runs and of comparisons when they are asked for.
        case server(folder: String)

        var base: String {
            switch self {
            case .file(let base, _): base
            case .server: ""
            }
        }

        var folder: String {
            switch self {
            case .file(_, let folder), .server(let folder): folder
            }
        }

        var isServed: Bool {
            if case .server = self { return true }
            return false
        }
    }

    package struct Options: Sendable {
        package var place: Place
        /// The name of the label that tells releases apart.
        package var label: String

        package init(place: Place, label: String) {
            self.place = place
            self.label = label
        }
    }

    /// What the template is given.
    private struct Page {
        var library: LibrarySection
    }

    private let list: RunList
    private let options: Options

    package init(of list: RunList, _ options: Options) {
        self.list = list
        self.options = options
    }

    /// The page.
    ///
    /// - Returns: HTML in UTF-8.
    /// - Throws: Where the templates are not installed beside the executable.
    package func render() throws -> String {
        let templates = try PageTemplates()
        let section = LibrarySection(list, options)
        var links = [PageLink(anchor: "verdict", title: "All")]
        if section.hasRows {
            links += [
                PageLink(anchor: "nights", title: "Nights"), PageLink(anchor: "runs", title: "Runs"),
                PageLink(anchor: "releases", title: "Releases"),
            ]
        }
        if section.hasLeftOut { links.append(PageLink(anchor: "left-out", title: "No results")) }
        let days = [list.rows.last, list.rows.first].compactMap { $0?.startText.prefix(10) }
        var facts = [section.total]
        if let first = days.first, let last = days.last {
            facts.append(first == last ? String(first) : "\(first) to \(last)")
            facts.append(TextLayout.counted(section.profiles.count, "profile"))
        }
        let heading = PageHeading(
            title: "Results: \(section.total)",
            name: "Results",
            facts: facts,
            links: links,
            skip: PageLink(anchor: section.hasRows ? "runs" : "verdict", title: "Skip to the runs"),
            version: PodswarmVersion.current
        )
        return try templates.page(heading, content: templates.render("library", Page(library: section)), own: "library")
    }
}
