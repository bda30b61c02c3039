import AdServing
import Transport

/// What the requests of all viewers of a loop have in common, each made once where nothing in them is a viewer's own.
///
/// Confined to its loop.
final class SharedRequests {
    /// Variants of one channel fit; a target that gives each session URLs of its own must not fill the memory.
    private static let keptRequests = 64

    private let fields: [(name: String, value: String)]
    /// Whether requests say which viewer makes them.
    private let identifiesViewers: Bool
    private let headers: HeaderList?
    private var known: [String: PreparedRequest] = [:]

    /// - Parameters:
    ///   - fields: Headers of every request.
    ///   - identifiesViewers: Whether requests also say which viewer makes them.
    init(_ fields: [String: String], identifiesViewers: Bool) {
        self.fields = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.identifiesViewers = identifiesViewers
        headers = HeaderList(self.fields)
    }

    /// The headers of a viewer's requests, as they are sent.
    func fields(viewer number: Int) -> [(name: String, value: String)] {
        identifiesViewers ? fields + [(WireName.viewerHeader, String(number))] : fields
    }

    /// The same, one list for all viewers where nothing in them is the viewer's own.
    func headers(viewer number: Int) -> HeaderList? {
        identifiesViewers ? HeaderList(fields(viewer: number)) : headers
    }

    /// The request of a URL that many viewers ask for: one for all of them, where their headers are the same.
    func request(url: String, headers: HeaderList?) -> PreparedRequest {
        guard !identifiesViewers else { return PreparedRequest(url: url, headers: headers) }
        if let request = known[url] { return request }
        let request = PreparedRequest(url: url, headers: headers)
        if known.count >= Self.keptRequests {
            known.removeAll()
        }
        known[url] = request
        return request
    }
}
