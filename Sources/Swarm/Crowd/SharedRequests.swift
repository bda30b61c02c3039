import AdServing
import Transport
import Viewer

enum KeptHeaders {
    /// None: they are made for each request.
    case none
    /// All of them; nil inside for a list that cannot be sent.
    case list(HeaderList?)
}

/// Requests shared by all viewers of a loop, each made once where it has nothing of one viewer; confined to its loop.
final class SharedRequests {
    /// The variants of one channel fit; a target with URLs for each session must not fill the memory.
    private static let keptRequests = 64
    private static let keptLists = 1_024

    private struct Key: Hashable {
        let url: String
        /// The identifier of a kept list, or of `SharedRequests` itself for viewers without one.
        let headers: ObjectIdentifier?
    }

    private let fields: [(name: String, value: String)]
    private let traits: AudienceTraits
    private let identifiesViewers: Bool
    private let areAlike: Bool
    private let sharesLists: Bool
    private let headers: HeaderList?
    private var lists: [[String]: HeaderList] = [:]
    private var known: [Key: PreparedRequest] = [:]

    /// Values of `fields` may hold traits; `identifiesViewers` adds a header with the viewer's number.
    init(_ fields: [String: String], traits: AudienceTraits, identifiesViewers: Bool) {
        self.fields = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.traits = traits
        self.identifiesViewers = identifiesViewers
        let named = fields.values.reduce(into: Set()) { $0.formUnion(traits.placeholders(in: $1)) }
        areAlike = named.isEmpty
        sharesLists = !identifiesViewers && traits.areShared(named)
        headers = HeaderList(self.fields)
    }

    func fields(viewer number: Int) -> [(name: String, value: String)] {
        var fields = self.fields
        if !areAlike {
            let viewer = traits.identity(ofViewer: number)
            for index in fields.indices { fields[index].value = viewer.filled(fields[index].value) }
        }
        return identifiesViewers ? fields + [(WireName.viewerHeader, String(number))] : fields
    }

    /// The headers of a viewer to keep between its requests.
    ///
    /// Values that traits make a viewer's own follow from the seed and its number: they are not kept, but made for each
    /// request.
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

    /// The request of a URL, shared by all viewers with the same headers.
    func request(url: String, headers: HeaderList?) -> PreparedRequest {
        let isKept = areAlike || sharesLists && lists.count < Self.keptLists
        guard !identifiesViewers, isKept else { return PreparedRequest(url: url, headers: headers) }
        return known(url: url, headers: headers, under: headers.map(ObjectIdentifier.init))
    }

    /// A request without headers, shared by viewers that have their own; never sent itself.
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
