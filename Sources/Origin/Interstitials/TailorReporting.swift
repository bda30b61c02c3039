/// Who reports the ads of a guided session of MediaTailor's shape: the server, unless the session asked to do it.
///
/// How MediaTailor itself remembers that is not published; here the session's addresses carry it on.
struct TailorReporting: Hashable, Sendable {
    private static let parameter = "aws.reportingMode"

    let isByClient: Bool

    /// As a POST or a query says it.
    init(_ query: FormFields, body: [String: String]? = nil) {
        let mode = body?["reportingMode"] ?? query[Self.parameter]
        isByClient = mode?.lowercased() == "client"
    }

    /// What addresses say of it.
    var parameters: [String] { isByClient ? ["\(Self.parameter)=CLIENT"] : [] }
}
