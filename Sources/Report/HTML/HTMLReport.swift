package import Comparison
package import RunResult

/// A result as one self-contained HTML page: no network, no other file, light and dark, on screens and on paper.
///
/// All charts are SVG drawn here; without scripts the page still shows all of them.
package struct HTMLReport: Sendable {
    /// What the templates are given.
    private struct Page {
        var verdict: VerdictSection
        var thresholds: ThresholdSection?
        var breaks: BreakSection?
        var fill: FillSection?
        var players: PlayerSection?
        var latency: LatencySection?
        var edges: EdgeSection?
        var slowest: SlowestSection?
        var drift: DriftSection?
        var outage: OutageSection?
        var series: SeriesSection?
        var windows: WindowTable?
        var findings: FindingSection
        var warnings: WarningSection?
        var leftOut: LeftOutSection?
        var generator: GeneratorSection
        var shards: ShardSection?
        var reconciliation: ReconciliationSection?
        var run: RunSection
    }

    private let document: ResultDocument

    /// - Parameter document: The result to show.
    package init(of document: ResultDocument) {
        self.document = document
    }

    /// The page.
    ///
    /// - Returns: HTML in UTF-8.
    /// - Throws: Where the templates are not installed beside the executable.
    package func render() throws -> String {
        let templates = try PageTemplates()
        return try templates.page(heading, content: templates.render("report", page))
    }

    private var page: Page {
        Page(
            verdict: VerdictSection(document),
            thresholds: ThresholdSection(document),
            breaks: BreakSection(document),
            fill: FillSection(document),
            players: PlayerSection(document),
            latency: LatencySection(document),
            edges: EdgeSection(document),
            slowest: SlowestSection(document),
            drift: DriftSection(document),
            outage: OutageSection(document),
            series: SeriesSection(document),
            windows: WindowTable(document),
            findings: FindingSection(document.findings),
            warnings: WarningSection(document),
            leftOut: LeftOutSection(document),
            generator: GeneratorSection(document),
            shards: ShardSection(document),
            reconciliation: ReconciliationSection(document.reconciliation),
            run: RunSection(document)
        )
    }

    private var heading: PageHeading {
        let run = document.run
        let seconds = Double(run.endedAtMicroseconds &- run.startedAtMicroseconds) / 1_000_000
        let viewers = run.asked.first { $0.name == "viewers" }?.requested
        let labels = run.labels.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        var facts = labels + [TimeText.instant(run.startedAtMicroseconds), TimeText.length(seconds: seconds)]
        if let viewers { facts.append(TextLayout.counted(Clamped.count(viewers), "viewer")) }
        facts.append(run.target == "embedded" ? "reference origin" : run.target)
        if run.tlsVerified == false { facts.append("TLS not verified") }
        var links = [PageLink(anchor: "verdict", title: "Verdict")]
        if !document.breaks.each.isEmpty { links.append(PageLink(anchor: "breaks", title: "Breaks")) }
        if FillSection(document) != nil { links.append(PageLink(anchor: "fill", title: "Fill")) }
        if PlayerSection(document) != nil { links.append(PageLink(anchor: "players", title: "Players")) }
        links.append(PageLink(anchor: "latency", title: "Latency"))
        if document.edges != nil { links.append(PageLink(anchor: "edges", title: "Edges")) }
        if DriftSection(document) != nil {
            links.append(PageLink(anchor: "drift", title: "Drift"))
        }
        if document.outages != nil { links.append(PageLink(anchor: "outage", title: "Outage")) }
        links += [
            PageLink(anchor: "course", title: "Course"), PageLink(anchor: "findings", title: "Findings"),
            PageLink(anchor: "generator", title: "Generator"),
        ]
        if document.shards != nil { links.append(PageLink(anchor: "shards", title: "Shards")) }
        links.append(PageLink(anchor: "run", title: "Run"))
        let outcome = document.verdict.outcome.title
        return PageHeading(
            title: "\(outcome): \(run.profileName), \(TimeText.instant(run.startedAtMicroseconds))",
            name: run.profileName,
            facts: facts,
            links: links,
            version: document.podswarmVersion
        )
    }
}

extension HTMLReport {
    /// What the comparison's template is given.
    private struct ComparisonPage {
        var comparison: ComparisonSection
    }

    /// A comparison as one self-contained page, like that of a result.
    ///
    /// - Parameters:
    ///   - document: What the comparison said.
    ///   - base: The runs of the base, for curves of the distributions read with them where the document has none.
    ///   - candidate: The runs of the candidate.
    /// - Returns: HTML in UTF-8.
    /// - Throws: Where the templates are not installed beside the executable.
    package static func comparison(
        _ document: ComparisonDocument,
        base: [RunFigures] = [],
        candidate: [RunFigures] = []
    ) throws -> String {
        let templates = try PageTemplates()
        var document = document
        if document.curves.isEmpty { document.curves = OverlaidCurves.curves(of: base, candidate) }
        let profiles = Set((document.base.runs + document.candidate.runs).map(\.profileName)).sorted()
        let section = ComparisonSection(document)
        var links = [PageLink(anchor: "verdict", title: "Verdict")]
        if section.hasGating || section.hasInformational { links.append(PageLink(anchor: "metrics", title: "Latency")) }
        if section.hasCurves { links.append(PageLink(anchor: "curves", title: "Curves")) }
        if section.hasRates { links.append(PageLink(anchor: "rates", title: "Rates")) }
        links += [PageLink(anchor: "findings", title: "Findings"), PageLink(anchor: "runs", title: "Runs")]
        let heading = PageHeading(
            title: "\(document.verdict.outcome.title): \(section.baseTitle) against \(section.candidateTitle)",
            name: "\(section.baseTitle) → \(section.candidateTitle)",
            facts: profiles + [
                "\(TextLayout.counted(document.base.runs.count, "run")) against \(document.candidate.runs.count)"
            ],
            links: links,
            version: document.podswarmVersion
        )
        return try templates.page(
            heading,
            content: templates.render("comparison", ComparisonPage(comparison: section))
        )
    }
}

extension HTMLReport {
    /// What the history's template is given.
    private struct TrendPage {
        var trend: TrendSection
    }

    /// The history of a profile as one self-contained page.
    ///
    /// - Parameter document: What was found in the history.
    /// - Returns: HTML in UTF-8.
    /// - Throws: Where the templates are not installed beside the executable.
    package static func trend(_ document: TrendDocument) throws -> String {
        let templates = try PageTemplates()
        let section = TrendSection(document)
        let days = [document.runs.first, document.runs.last].compactMap { $0?.startedAt.prefix(10) }
        var links = [PageLink(anchor: "verdict", title: "Verdict"), PageLink(anchor: "metrics", title: "What decides")]
        if section.hasOthers { links.append(PageLink(anchor: "others", title: "What informs")) }
        links.append(PageLink(anchor: "runs", title: "Runs"))
        let heading = PageHeading(
            title:
                "\(document.verdict.outcome.title): \(document.group.profile) over \(TextLayout.counted(document.runs.count, "run"))",
            name: document.group.profile,
            facts: [TextLayout.counted(document.runs.count, "run"), days.joined(separator: " to ")],
            links: links,
            version: document.podswarmVersion
        )
        return try templates.page(heading, content: templates.render("trend", TrendPage(trend: section)))
    }
}
