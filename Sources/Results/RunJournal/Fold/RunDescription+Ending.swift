import Foundation
import Rules

extension RunDescription {
    func ended(_ ending: RunEnding, totals: RunTotals) -> RunDescription {
        var ended = self
        ended.endedAtMicroseconds = ending.endedAtMicroseconds
        let carriers = Carrier.allCases.filter { carrier in
            RequestKind.allCases.contains { totals.requests.carried($0, by: carrier) > 0 }
        }
        ended.transports = carriers.map { $0 == .curl ? "libcurl" : $0.name } + transports
        (ended.interrupted, ended.abortedBy, ended.recovered) = (ending.interrupted, ending.abortedBy, nil)
        for index in ended.asked.indices { ended.asked[index].observed = ended.observed(asked[index], totals: totals) }
        return ended
    }

    private func observed(_ asked: Asked, totals: RunTotals) -> Double? {
        let joined = totals.viewers.people
        let churned = totals.count(of: .churned)
        return switch asked.name {
        case Asked.viewers: Double(joined > churned ? joined - churned : 0)
        case Asked.churnedViewers: Double(churned)
        case Asked.duration: Double(endedAtMicroseconds &- startedAtMicroseconds) / 1e6
        default: asked.observed
        }
    }

    /// The shards must have the same profile, seed and start.
    func joined(with other: RunDescription) -> RunDescription {
        var joined = self
        joined.labels = labels.filter { other.labels[$0.key] == $0.value }
        joined.target = Self.listed([target, other.target])
        joined.endedAtMicroseconds = max(endedAtMicroseconds, other.endedAtMicroseconds)
        joined.loops = loops &+ other.loops
        joined.transports = transports + other.transports.filter { !transports.contains($0) }
        joined.tlsVerified =
            [tlsVerified, other.tlsVerified].contains(false) ? false : tlsVerified ?? other.tlsVerified
        joined.versions = versions.merging(other.versions) { Self.listed([$0, $1]) }
        (joined.interrupted, joined.abortedBy, joined.recovered, joined.shard) = (false, nil, nil, nil)
        for index in joined.asked.indices where joined.asked[index].name == Asked.viewers {
            let theirs = other.asked.first { $0.name == Asked.viewers }?.requested
            joined.asked[index].requested = joined.asked[index].requested.map { $0 + (theirs ?? 0) }
        }
        joined.audienceCurve = audienceCurve.flatMap { mine in other.audienceCurve.flatMap(mine.joined) }
        return joined
    }

    static func listed(_ texts: [String]) -> String {
        var listed: [String] = []
        for text in texts.flatMap({ $0.components(separatedBy: ", ") }) where !listed.contains(text) {
            listed.append(text)
        }
        let shown = listed.prefix(8).joined(separator: ", ")
        return listed.count > 8 ? shown + ", …" : shown
    }
}

extension RunDescription.Asked {
    package static let viewers = "viewers"
    package static let churnedViewers = "churned_viewers"
    package static let duration = "duration"
}

extension HostFacts {
    /// Shards with one host name count once.
    static func joined(_ hosts: [HostFacts]) -> HostFacts? {
        var machines: [HostFacts] = []
        for host in hosts where host.name == nil || !machines.contains(where: { $0.name == host.name }) {
            machines.append(host)
        }
        guard var joined = machines.first else { return nil }
        guard machines.count > 1 else { return joined }
        joined.name = nil
        for text in [\HostFacts.operatingSystem, \.kernel, \.architecture, \.cpuModel] {
            joined[keyPath: text] = RunDescription.listed(machines.map { $0[keyPath: text] })
        }
        for number in [\HostFacts.cpuCount, \.descriptorLimit, \.ephemeralPorts] {
            joined[keyPath: number] = machines.reduce(0) { $0 &+ $1[keyPath: number] }
        }
        joined.memoryBytes = machines.reduce(0) { $0 &+ $1.memoryBytes }
        joined.sharedWithTarget = hosts.contains(where: \.sharedWithTarget)
        return joined
    }
}
