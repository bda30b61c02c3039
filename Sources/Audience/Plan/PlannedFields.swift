package import AdServing
package import LoadProfile

/// What the viewers of a plan are to say of themselves to the embedded origin, header by header and parameter by parameter.
///
/// Nothing where the profile gives them no traits: then all say the same.
package struct PlannedFields: Sendable {
    /// A name, and the text of the profile with traits in braces.
    private struct Field {
        var name: String
        var text: String
    }

    private let headers: [Field]
    private let parameters: [Field]
    private let traits: AudienceTraits
    private let keepsCookies: Bool

    /// - Parameter plan: Of the run.
    package init(_ plan: LoadPlan) {
        traits = AudienceTraits(plan.audience, seed: plan.seed)
        keepsCookies = plan.connection.keepsCookies
        guard !traits.isEmpty, case .embedded(let origin) = plan.target else {
            (headers, parameters) = ([], [])
            return
        }
        headers = Self.sorted(plan.connection.headers.map { ($0.key.lowercased(), $0.value) })
        var said = origin.session.adTagParameters
        said[WireName.customParametersParameter] = origin.session.custParams
        parameters = Self.sorted(Array(said))
    }

    private static func sorted(_ fields: [(key: String, value: String)]) -> [Field] {
        fields.map { Field(name: $0.key, text: $0.value) }.sorted { $0.name < $1.name }
    }

    /// What the origin is to count.
    package var counted: CountedFields {
        CountedFields(headers: headers.map(\.name), parameters: parameters.map(\.name))
    }

    /// What viewers said that is not what the plan says, as sentences; each is a defect of podswarm.
    ///
    /// - Parameters:
    ///   - told: What the origin counted.
    ///   - cookies: How it had its cookies back; nil where it sets none.
    /// - Returns: Nothing where all is as planned.
    package func defects(in told: [String: ToldCount], cookies: CookieCount? = nil) -> [String] {
        var defects: [String] = []
        for field in headers { defects += self.defects(CountedFields.title(header: field.name), field, told) }
        for field in parameters { defects += self.defects(CountedFields.title(parameter: field.name), field, told) }
        guard let cookies else { return defects }
        if cookies.foreign > 0 { defects.append("\(cookies.foreign) requests brought a cookie of another viewer") }
        if !keepsCookies, cookies.returned > 0 {
            defects.append("\(cookies.returned) requests brought a cookie, though viewers keep none")
        }
        return defects
    }

    private func defects(_ title: String, _ field: Field, _ told: [String: ToldCount]) -> [String] {
        guard let count = told[title] else { return ["the origin did not count \(title)"] }
        var defects: [String] = []
        if count.requestsWithout > 0 { defects.append("\(count.requestsWithout) requests came without \(title)") }
        if count.changed > 0 {
            defects.append(
                "\(count.changed) requests said something else in \(title) than their viewer had said before"
            )
        }
        if digest(of: field, count.viewers).text != count.digest {
            defects.append("viewers said something else in \(title) than is planned")
        }
        return defects
    }

    private func digest(of field: Field, _ viewers: [ClosedRange<UInt64>]) -> ToldDigest {
        var digest = ToldDigest()
        for viewer in viewers.joined() {
            digest.add(traits.identity(ofViewer: Int(clamping: viewer)).filled(field.text), of: viewer)
        }
        return digest
    }
}
