/// Of which headers and parameters an origin counts who said what in them.
package struct CountedFields: Sendable, Equatable, Codable {
    /// Names of headers of requests, in lower case.
    package var headers: [String]
    /// Names of parameters of registrations and pod requests.
    package var parameters: [String]

    package init(headers: [String] = [], parameters: [String] = []) {
        self.headers = headers
        self.parameters = parameters
    }

    package var isEmpty: Bool { headers.isEmpty && parameters.isEmpty }

    /// What counts of a header are kept under.
    package static func title(header name: String) -> String { "header \(name)" }
    /// What counts of a parameter are kept under.
    package static func title(parameter name: String) -> String { "parameter \(name)" }
}
