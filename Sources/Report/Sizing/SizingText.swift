import Rules

package struct SizingText: Sendable {
    private let sizing: SizingDocument
    private let rendering: TextRendering

    package init(of sizing: SizingDocument, width: Int, colour: Bool) {
        self.sizing = sizing
        rendering = TextRendering(width: width, colour: colour)
    }

    package func render() -> String {
        let told = sizing.refusals.map { "In the way: \($0)" } + sizing.warnings.map { "Warning: \($0)" }
        let warnings: [Block?] = told.map { .paragraph(Words($0, .warn)) }
        let costs = sizing.costs.map { "\($0.name)=\(MetricText.number($0.value)): \($0.source)" }
        let title =
            "Machines for \(sizing.profile): "
            + "\(TextLayout.counted(sizing.viewers, "viewer")) in \(TextLayout.counted(sizing.shards, "shard"))"
        let sections = [
            Section(
                "sizing",
                title,
                [.paragraph(Words(facts)), .table(table)] + warnings
            ),
            Section("assumptions", "What this stands on", [.list(sizing.assumptions.map { Words($0) })]),
            Section("costs", "Costs, which --cost NAME=VALUE changes", [.list(costs.map { Words($0) })]),
        ]
        return rendering.text(sections.flatMap(rendering.parts))
    }

    private var facts: String {
        let addresses = sizing.sourceAddressesPerShard
        var facts = [
            "up to \(TextLayout.counted(sizing.viewersPerShard, "viewer")) and "
                + "\(addresses) source address\(addresses == 1 ? "" : "es") each"
        ]
        if let limit = sizing.resources.first(where: { $0.name == sizing.limit }), let load = limit.load {
            facts.append("the least room is in \(limit.title): \(load) of what may be used is needed")
        }
        return (facts + [sizing.fits ? "it fits" : "it does not fit"]).joined(separator: "; ")
    }

    private var table: Table {
        Table(
            name: "Table of resources",
            columns: ["resource", "each shard", "may use", "needed", "all shards", "fewest shards"].map {
                .init(Words($0))
            },
            rows: sizing.resources.flatMap { resource in
                let hasMean = resource.perShardMean != nil
                let cells = [
                    resource.title + (hasMean ? ", busiest second" : ""), resource.figure(resource.perShard),
                    resource.available.map(resource.figure) ?? "not said", resource.load ?? "",
                    resource.figure(resource.allShards),
                    resource.fewestShards.map { TextLayout.grouped($0) } ?? (resource.available == nil ? "" : "none"),
                ]
                let means = [resource.perShardMean, resource.allShardsMean].compactMap { $0.map(resource.figure) }
                let mean = means.count == 2 ? [["\(resource.title), mean", means[0], "", "", means[1], ""]] : []
                return ([cells] + mean).map { Table.Row($0.map { Words($0) }) }
            }
        )
    }
}

extension SizingDocument.Resource {
    fileprivate var load: String? {
        available.map { $0 > 0 ? MetricText.percent(100 * perShard / $0) : "none" }
    }

    fileprivate var title: String {
        switch name {
        case "memory_bytes": "memory, MiB"
        case "bits_per_second": "Mbit/s"
        case "packets_per_second": "packets/s"
        default: name
        }
    }

    fileprivate func figure(_ value: Double) -> String {
        let whole = { (value: Double) in
            Int(exactly: value.rounded(.up)).map { TextLayout.grouped($0) } ?? "too many"
        }
        return switch name {
        case "cores": MetricText.rounded(value, places: 2)
        case "memory_bytes": whole(value / 1_048_576)
        case "bits_per_second": MetricText.rounded(value / 1e6, places: 1)
        default: whole(value)
        }
    }
}
