import Rendezvous

/// What a path names.
enum RendezvousRoute: Equatable, Sendable {
    case time
    /// With the name after which a listing begins.
    case group(run: String, group: String, after: String?)
    case name(run: String, group: String, name: String)

    /// Nil for what is nothing here: no escapes are undone, because no name needs any.
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

    /// Empty for none, nil for what is no query of a listing.
    private static func after(_ query: Substring?) -> String? {
        guard let query else { return "" }
        guard query.hasPrefix("after=") else { return nil }
        let name = String(query.dropFirst("after=".count))
        return RendezvousName.isOne(name) ? name : nil
    }
}
