package import Comparison
import Results

package struct LibraryPage: Sendable {
    package enum Place: Sendable {
        /// A file.
        ///
        /// `base` is the relative path to the folder of the results, empty or ended by a slash; `folder` is as the user wrote
        /// it.
        case file(base: String, folder: String)
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
        /// Name of the label that distinguishes releases.
        package var label: String

        package init(place: Place, label: String) {
            self.place = place
            self.label = label
        }
    }

    private let list: RunList
    private let options: Options

    package init(of list: RunList, _ options: Options) {
        self.list = list
        self.options = options
    }

    /// Renders the page.
    ///
    /// - Throws: An error if style and script are not installed beside the executable.
    package func render() throws -> String {
        let section = LibrarySection(list, options)
        let total = TextLayout.counted(list.rows.count, "run")
        let hasRows = !list.rows.isEmpty
        var links = [Page.Link(anchor: "verdict", title: "All")]
        if hasRows {
            links += [("nights", "Nights"), ("runs", "Runs"), ("releases", "Releases")].map {
                Page.Link(anchor: $0, title: $1)
            }
        }
        if !list.leftOut.isEmpty { links.append(.init(anchor: "left-out", title: "No results")) }
        let days = [list.rows.last, list.rows.first].compactMap { $0?.startText.prefix(10) }
        var facts = [total]
        if let first = days.first, let last = days.last {
            facts.append(first == last ? String(first) : "\(first) to \(last)")
            facts.append(TextLayout.counted(section.profiles.count, "profile"))
        }
        let frame = PageFrame(
            title: "Results: \(total)",
            name: "Results",
            facts: facts,
            links: links,
            skip: .init(anchor: hasRows ? "runs" : "verdict", title: "Skip to the runs"),
            version: PodswarmVersion.current,
            own: "library"
        )
        return try frame.html(section.html)
    }
}
