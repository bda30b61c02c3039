package import Report
import Rules

extension SizingDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String {
        let told = refusals.map { "In the way: \($0)" } + warnings.map { "Warning: \($0)" }
        let notes: [Block?] = told.map { .said($0, .warn) }
        let shown = costs.map { "\($0.name)=\(MetricText.number($0.value)): \($0.source)" }
        let title =
            "Machines for \(profile): "
            + "\(TextLayout.counted(viewers, "viewer")) in \(TextLayout.counted(shards, "shard"))"
        let sections = [
            Section("sizing", title).showing([.said(facts), table] + notes),
            Section("assumptions", "Assumptions").showing([.list(assumptions.map { Words($0) })]),
            Section("costs", "Costs, which --cost NAME=VALUE changes").showing([.list(shown.map { Words($0) })]),
        ]
        return rendering.text(sections.flatMap(rendering.parts))
    }

    private var facts: String {
        let addresses = sourceAddressesPerShard
        var facts = [
            "up to \(TextLayout.counted(viewersPerShard, "viewer")) and "
                + "\(addresses) source address\(addresses == 1 ? "" : "es") each"
        ]
        if let limit = resources.first(where: { $0.name == limit }), let load = limit.share {
            facts.append("tightest: \(limit.title), \(load) of the limit")
        }
        return (facts + [fits ? "it fits" : "it does not fit"]).joined(separator: "; ")
    }

    private var table: Block {
        let rows = resources.flatMap { resource in
            let hasMean = resource.perShardMean != nil
            let cells = [
                resource.title + (hasMean ? ", busiest second" : ""), resource.figure(resource.perShard),
                resource.available.map(resource.figure) ?? "not said", resource.share ?? "",
                resource.figure(resource.allShards),
                resource.fewestShards.map { TextLayout.grouped($0) } ?? (resource.available == nil ? "" : "none"),
            ]
            let means = [resource.perShardMean, resource.allShardsMean].compactMap { $0.map(resource.figure) }
            let mean = means.count == 2 ? [["\(resource.title), mean", means[0], "", "", means[1], ""]] : []
            return ([cells] + mean).map { Table.Row($0.map { Words($0) }) }
        }
        let heads: [Table.Column] = ["resource", "each shard", "may use", "needed", "all shards", "fewest shards"]
        return Table("Table of resources", heads).listing(rows)
    }
}

extension SizingDocument.Resource {
    fileprivate var share: String? { available.map { $0 > 0 ? MetricText.percent(100 * perShard / $0) : "none" } }

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
