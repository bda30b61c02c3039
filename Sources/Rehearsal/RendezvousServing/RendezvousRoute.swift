import Results

enum RendezvousRoute: Equatable, Sendable {
    case time
    /// `after` is the name after which a listing begins.
    case group(run: String, group: String, after: String?)
    case name(run: String, group: String, name: String)

    /// Returns nil for an unknown path; escapes are not decoded, because no valid name needs one.
    init?(_ target: String) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parts = halves[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)[...]
        guard parts.popFirst() == "", parts.popFirst() == "v1" else { return nil }
        if parts == ["time"], halves.count == 1 {
            self = .time
            return
        }
        guard let run = parts.popFirst(), ShardMeeting.isRunID(run), let group = parts.popFirst(),
            RendezvousName.isOne(group)
        else { return nil }
        switch parts.popFirst() {
        case nil:
            guard let after = Self.after(halves.dropFirst().first) else { return nil }
            self = .group(run: run, group: group, after: after.isEmpty ? nil : after)
        case .some(let name):
            guard RendezvousName.isOne(name), parts.isEmpty, halves.count == 1 else { return nil }
            self = .name(run: run, group: group, name: name)
        }
    }

    /// Empty without a query, nil for an invalid one.
    private static func after(_ query: Substring?) -> String? {
        guard let query else { return "" }
        guard query.hasPrefix("after=") else { return nil }
        let name = String(query.dropFirst("after=".count))
        return RendezvousName.isOne(name) ? name : nil
    }
}
