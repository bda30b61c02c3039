import Testing

@testable import Results

extension ResultDocument {
    /// As many answers of pods were read late as `count` says.
    fileprivate mutating func readPodsLate(count: UInt64) throws {
        var latency = try #require(requests["pod_manifest"]?.latencies["lateness"])
        (latency.count, latency.p99Microseconds, latency.maximumMicroseconds) = (count, 600_000, 610_000)
        requests["pod_manifest"]?.latencies["handling"] = latency
    }

    /// Of three shards the second was its own limit, and the third left nothing.
    mutating func addShards(named hostile: String? = nil) {
        verdict.reasons = ["shard 2 of 3 left nothing"]
        shards = (0..<3).map { index in
            var shard = ShardResult(missing: index)
            guard index < 2 else { return shard }
            (shard.state, shard.host) = (.ended, run.host)
            shard.host?.name = hostile ?? "edge-\(index)"
            (shard.viewers, shard.requests, shard.errors) = (50, 1_234, 2)
            (shard.due, shard.onTime, shard.health) = (40, 39, health)
            shard.health?.withinBudget = index == 0
            return shard
        }
    }
}

extension ReportedChange {
    static let generator = [
        ReportedChange("the machine as the limit", .judged(.clientLimited)) { document in
            let reason = "the machine was the limit: the embedded origin waited for a core"
            (document.verdict.reasons, document.health.reasons) = ([reason], [reason])
            document.health.limitedByMachine = true
        },
        ReportedChange("waits that the kernel does not tell") { document in
            (document.health.generatorWaits, document.health.originWaits) = (nil, nil)
        },
        ReportedChange("a version that did not look at waits") { document in
            (document.health.generatorWaits, document.health.originWaits) = (nil, nil)
            document.health.budget.coreWaitMicroseconds = nil
        },
        ReportedChange("40 answers read late") { try $0.readPodsLate(count: 40) },
        ReportedChange("100 answers read late") { try $0.readPodsLate(count: 100) },
        ReportedChange("carried by libcurl alone") { document in
            for name in document.requests.keys {
                document.requests[name]?.carried = ["exchange": 0, "curl": 7]
                document.requests[name]?.repeated = 0
            }
        },
        ReportedChange("a version that did not count carriers") { document in
            for name in document.requests.keys {
                document.requests[name]?.carried = nil
                document.requests[name]?.repeated = nil
            }
        },
        ReportedChange("three shards", .judged(.incomplete)) { $0.addShards() },
        ReportedChange("a thousand shards", .judged(.incomplete)) { document in
            document.addShards()
            let whole = try #require(document.shards?.first)
            document.shards = (0..<1_000).map { index in
                var shard = whole
                shard.index = index
                if index == 777 { shard.state = .cutOff }
                return shard
            }
        },
        ReportedChange("notes and a clock that was put back", .judged(.passed)) { document in
            document.notes = ["the journal could not be written: " + ExampleResult.hostileText]
            document.clock = ClockResult(stepCount: 2)
        },
    ]
}
