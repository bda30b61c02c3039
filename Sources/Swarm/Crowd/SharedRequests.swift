import AdServing
import Audience
import Transport

/// What the requests of all viewers of a loop have in common, each made once where nothing in them is a viewer's own.
///
/// Confined to its loop.
final class SharedRequests {
    /// Variants of one channel fit; a target that gives each session URLs of its own must not fill the memory.
    private static let keptRequests = 64
    /// Kinds of viewers that are told apart by headers, at most.
    private static let keptLists = 1_024

    /// A request that many viewers make.
    private struct Key: Hashable {
        let url: String
        /// Of a list that is kept.
        let headers: ObjectIdentifier?
    }

    private let fields: [(name: String, value: String)]
    private let traits: AudienceTraits
    /// Whether requests say which viewer makes them.
    private let identifiesViewers: Bool
    private let areAlike: Bool
    /// Whether what headers say of viewers is said of many of them alike.
    private let sharesLists: Bool
    private let headers: HeaderList?
    private var lists: [[String]: HeaderList] = [:]
    private var known: [Key: PreparedRequest] = [:]

    /// - Parameters:
    ///   - fields: Headers of every request, whose values may hold traits.
    ///   - traits: Of the viewers.
    ///   - identifiesViewers: Whether requests also say which viewer makes them.
    init(_ fields: [String: String], traits: AudienceTraits, identifiesViewers: Bool) {
        self.fields = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.traits = traits
        self.identifiesViewers = identifiesViewers
        let named = fields.values.reduce(into: Set()) { $0.formUnion(traits.placeholders(in: $1)) }
        areAlike = named.isEmpty
        sharesLists = !identifiesViewers && traits.areShared(named)
        headers = HeaderList(self.fields)
    }

    /// The headers of a viewer's requests, as they are sent.
    func fields(viewer number: Int) -> [(name: String, value: String)] {
        var fields = self.fields
        if !areAlike {
            let viewer = traits.identity(ofViewer: number)
            for index in fields.indices { fields[index].value = viewer.filled(fields[index].value) }
        }
        return identifiesViewers ? fields + [(WireName.viewerHeader, String(number))] : fields
    }

    /// The same, one list for all viewers whose headers are the same.
    func headers(viewer number: Int) -> HeaderList? {
        if areAlike, !identifiesViewers { return headers }
        let fields = fields(viewer: number)
        guard sharesLists else { return HeaderList(fields) }
        let values = fields.map(\.value)
        if let list = lists[values] { return list }
        guard lists.count < Self.keptLists, let list = HeaderList(fields) else { return HeaderList(fields) }
        lists[values] = list
        return list
    }

    /// The request of a URL that many viewers ask for: one for all of them whose headers are the same.
    func request(url: String, headers: HeaderList?) -> PreparedRequest {
        let isKept = areAlike || sharesLists && lists.count < Self.keptLists
        guard !identifiesViewers, isKept else { return PreparedRequest(url: url, headers: headers) }
        let key = Key(url: url, headers: headers.map(ObjectIdentifier.init))
        if let request = known[key] { return request }
        let request = PreparedRequest(url: url, headers: headers)
        if known.count >= Self.keptRequests * max(1, lists.count) {
            known.removeAll()
        }
        known[key] = request
        return request
    }
}
