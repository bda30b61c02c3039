/// Reporter of ads in a guided session of MediaTailor's form: the server, unless the session chose the client.
///
/// MediaTailor does not publish how it stores that; here the session's addresses repeat it.
struct TailorReporting: Hashable, Sendable {
    private static let parameter = "aws.reportingMode"

    let isByClient: Bool

    init(_ query: FormFields, body: [String: String]? = nil) {
        let mode = body?["reportingMode"] ?? query[Self.parameter]
        isByClient = mode?.lowercased() == "client"
    }

    var parameters: [String] { isByClient ? ["\(Self.parameter)=CLIENT"] : [] }
}
