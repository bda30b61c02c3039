import RunResult
import Thresholds

/// A plan for machines as terminal text: what a shard needs of a machine, what all need, and what the figures stand on.
package struct SizingText: Sendable {
    private let sizing: SizingDocument
    private let width: Int
    private let style: TextStyle

    /// - Parameters:
    ///   - sizing: What is needed.
    ///   - width: Columns.
    ///   - colour: Whether the terminal has colours.
    package init(of sizing: SizingDocument, width: Int, colour: Bool) {
        self.sizing = sizing
        self.width = max(width, 40)
        style = TextStyle(colour: colour)
    }

    /// The text, ended by a line feed.
    ///
    /// - Returns: Lines no longer than the width.
    package func render() -> String {
        let parts = [heading(), table(), warnings(), assumptions(), costs()].filter { !$0.isEmpty }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func heading() -> [String] {
        let title =
            "Machines for \(TextLayout.printable(sizing.profile)): "
            + "\(TextLayout.counted(sizing.viewers, "viewer")) in \(TextLayout.counted(sizing.shards, "shard"))"
        var facts = [
            "up to \(TextLayout.counted(sizing.viewersPerShard, "viewer")) and "
                + "\(sizing.sourceAddressesPerShard) source address\(sizing.sourceAddressesPerShard == 1 ? "" : "es") each"
        ]
        if let limit = sizing.resources.first(where: { $0.name == sizing.limit }), let load = load(limit) {
            facts.append("the least room is in \(Self.title(limit)): \(load) of what may be used is needed")
        }
        facts.append(sizing.fits ? "it fits" : "it does not fit")
        return [style.inked(title, .bold)] + TextLayout.wrapped(facts.joined(separator: "; "), width: width)
    }

    private func table() -> [String] {
        var table = TextTable(header: ["", "each shard", "may use", "needed", "all shards", "fewest shards"])
        for resource in sizing.resources {
            let name = resource.perShardMean == nil ? Self.title(resource) : "\(Self.title(resource)), busiest second"
            table.rows.append([
                name, Self.figure(resource.perShard, resource),
                resource.available.map { Self.figure($0, resource) } ?? "not said",
                load(resource) ?? "", Self.figure(resource.allShards, resource),
                resource.fewestShards.map { TextLayout.grouped($0) } ?? (resource.available == nil ? "" : "none"),
            ])
            guard let mean = resource.perShardMean, let all = resource.allShardsMean else { continue }
            table.rows.append([
                "\(Self.title(resource)), mean", Self.figure(mean, resource), "", "", Self.figure(all, resource), "",
            ])
        }
        return table.lines(width: width)
    }

    private func load(_ resource: SizingDocument.Resource) -> String? {
        resource.available.map { $0 > 0 ? MetricText.percent(100 * resource.perShard / $0) : "none" }
    }

    private static func title(_ resource: SizingDocument.Resource) -> String {
        switch resource.name {
        case "memory_bytes": "memory, MiB"
        case "bits_per_second": "Mbit/s"
        case "packets_per_second": "packets/s"
        default: resource.name
        }
    }

    private static func figure(_ value: Double, _ resource: SizingDocument.Resource) -> String {
        switch resource.name {
        case "cores": MetricText.rounded(value, places: 2)
        case "memory_bytes": whole(value / 1_048_576)
        case "bits_per_second": MetricText.rounded(value / 1e6, places: 1)
        default: whole(value)
        }
    }

    private static func whole(_ value: Double) -> String {
        Int(exactly: value.rounded(.up)).map { TextLayout.grouped($0) } ?? "too many"
    }

    private func warnings() -> [String] {
        let told = sizing.refusals.map { "In the way: \($0)" } + sizing.warnings.map { "Warning: \($0)" }
        return told.flatMap { TextLayout.wrapped($0, width: width, hanging: "  ") }
    }

    private func assumptions() -> [String] {
        guard !sizing.assumptions.isEmpty else { return [] }
        return ["What this stands on"]
            + sizing.assumptions.flatMap { TextLayout.wrapped($0, width: width, indent: "  ") }
    }

    private func costs() -> [String] {
        guard !sizing.costs.isEmpty else { return [] }
        return ["Costs, which --cost NAME=VALUE changes"]
            + sizing.costs.flatMap { cost in
                TextLayout.wrapped(
                    "\(cost.name)=\(MetricText.number(cost.value)): \(cost.source)",
                    width: width,
                    indent: "  ",
                    hanging: "  "
                )
            }
    }
}
