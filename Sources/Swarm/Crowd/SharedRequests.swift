import AdServing
import Audience
import Transport

/// What is kept of a viewer's headers between its requests.
enum KeptHeaders {
    /// Nothing: they are made for each request.
    case none
    /// All of them, as they are sent; nil where they cannot be.
    case list(HeaderList?)
}

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
        /// Of a list that is kept, or of whoever keeps what has none.
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

    /// What is kept of a viewer's headers as long as it is there.
    ///
    /// What traits make a viewer's own follows from the seed and its number: nothing is kept of it, and it is made for
    /// each request.
    func keptHeaders(viewer number: Int) -> KeptHeaders {
        if areAlike { return .list(identifiesViewers ? HeaderList(fields(viewer: number)) : headers) }
        guard sharesLists else { return .none }
        let fields = fields(viewer: number)
        let values = fields.map(\.value)
        if let list = lists[values] { return .list(list) }
        guard lists.count < Self.keptLists, let list = HeaderList(fields) else { return .none }
        lists[values] = list
        return .list(list)
    }

    /// The request of a URL that many viewers ask for: one for all of them whose headers are the same.
    func request(url: String, headers: HeaderList?) -> PreparedRequest {
        let isKept = areAlike || sharesLists && lists.count < Self.keptLists
        guard !identifiesViewers, isKept else { return PreparedRequest(url: url, headers: headers) }
        return known(url: url, headers: headers, under: headers.map(ObjectIdentifier.init))
    }

    /// The same for viewers whose headers are their own: never sent itself.
    func bareRequest(url: String) -> PreparedRequest { known(url: url, headers: nil, under: ObjectIdentifier(self)) }

    private func known(url: String, headers: HeaderList?, under identifier: ObjectIdentifier?) -> PreparedRequest {
        let key = Key(url: url, headers: identifier)
        if let request = known[key] { return request }
        let request = PreparedRequest(url: url, headers: headers)
        if known.count >= Self.keptRequests * max(1, lists.count) {
            known.removeAll()
        }
        known[key] = request
        return request
    }
}
