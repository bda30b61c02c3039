import Foundation

/// The table of what podswarm does of HLS, its page, and where its sources lie.
enum HLSFeatures {
    static let sections: [(title: String, note: String, features: [HLSFeature])] = [
        ("Date ranges", "", dateRanges),
        ("Interstitials", "", interstitials),
        ("What an interstitial asks for", "", requests),
        ("Ad creative signaling", "The types `skip` and `clickTracking` are read and never sent.", signaling),
        ("Stitched breaks", "", stitched),
        ("Low latency", "", lowLatency),
        ("Variables", "", variables),
        ("Content steering", "", steering),
        ("The channel", "", channel),
        ("Targets", "Google's pod serving is described in <doc:Profiles>.", targets),
    ]

    static let all: [HLSFeature] = sections.flatMap(\.features)

    /// From the top of the checkout.
    static let page = "Sources/podswarm/Documentation.docc/HLSFeatures.md"

    /// The page, in Markdown.
    static var markdown: String {
        var lines = [
            "# HLS features", "",
            "Each attribute, tag and query parameter: where it is implemented, and the test that would fail without it.",
            "",
            "## Overview", "",
            "Sections are those of draft-pantos-hls-rfc8216bis-22 where nothing else is said. Files are named below `Sources`, tests",
            "below `Tests`. What these mean to a viewer is told in <doc:Interstitials>, what the reference origin serves in",
            "<doc:ReferenceOrigin>. A column that says *nothing* means it: the origin serves none, or none is needed.",
            "",
            "This page is written by the test `HLSFeaturesTests`, which also fails where a declaration or a test named here is no",
            "longer there, or where a name that the readers know is missing. `PODSWARM_RECORD_GOLDENS=1 swift test --filter",
            "HLSFeaturesTests` writes it anew.",
        ]
        for section in sections {
            lines += ["", "## \(section.title)", ""]
            if !section.note.isEmpty { lines += [section.note, ""] }
            lines += ["| What | Section | Implemented in | Served by the origin in | Would fail without it |"]
            lines += ["| --- | --- | --- | --- | --- |"]
            lines += section.features.map { feature in
                let cells = [
                    feature.name, feature.source, text(feature.implementation), text(feature.origin),
                    feature.tests.map { "`\($0.target)/\($0.suite)/\($0.function)`" }.joined(separator: ", "),
                ]
                return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Each file once, with all that is named of it.
    private static func text(_ places: [FeaturePlace]) -> String {
        guard !places.isEmpty else { return "*nothing*" }
        var files: [String] = []
        for place in places where !files.contains(place.file) { files.append(place.file) }
        return files.map { file in
            let shown = places.filter { $0.file == file }.map { "`\(plain($0.shown))`" }
            return "`\(file).swift` (\(shown.joined(separator: ", ")))"
        }.joined(separator: ", ")
    }

    /// A declaration without what its line goes on with.
    private static func plain(_ declaration: String) -> String {
        var text = declaration
        while let last = text.last, "(={: ".contains(last) { text.removeLast() }
        return text
    }
}
