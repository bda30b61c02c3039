package import CapacityResult

extension HTMLReport {
    /// What the template of a capacity is given.
    private struct CapacityPage {
        var capacity: CapacitySection
    }

    /// What a search for a capacity came to, as one self-contained page.
    ///
    /// - Parameter document: The search, ended or not.
    /// - Returns: HTML in UTF-8.
    /// - Throws: Where the templates are not installed beside the executable.
    package static func capacity(_ document: CapacityDocument) throws -> String {
        let templates = try PageTemplates()
        let section = CapacitySection(document)
        let search = document.search
        let labels = search.labels.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let heading = PageHeading(
            title: "Capacity of \(search.profileName): \(section.word.lowercased()) \(section.big)",
            name: "Capacity of \(search.profileName)",
            facts: labels + [
                TimeText.instant(search.startedAtMicroseconds),
                search.target == "embedded" ? "reference origin" : search.target,
            ],
            links: section.links,
            version: document.podswarmVersion
        )
        return try templates.page(heading, content: templates.render("capacity", CapacityPage(capacity: section)))
    }
}
