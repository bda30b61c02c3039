package import AdServing
package import Profile
import Values

/// Headers and parameters that differ between viewers, for comparison with those that the embedded origin received.
package struct PlannedFields: Sendable {
    private struct Field {
        var counted: CountedField
        /// From the profile, with traits in braces.
        var text: String
    }

    private var fields: [Field] = []
    private let traits: AudienceTraits
    private let seed: UInt64
    private var updates: SessionUpdatePlan?
    private let keepsCookies: Bool

    package init(_ plan: LoadPlan) {
        traits = AudienceTraits(plan.audience, seed: plan.seed)
        keepsCookies = plan.connection.keepsCookies
        seed = plan.seed
        guard case .embedded(let origin) = plan.target else { return }
        let session = origin.session
        updates = session.updates
        for (name, text) in plan.connection.headers { add(.header, name.lowercased(), text, secrets: plan.secrets) }
        if origin.shape == .podServing {
            for (name, text) in session.adTagParameters { add(.registration, name, text, secrets: plan.secrets) }
            if let text = session.custParams {
                add(.pod, WireName.customParametersParameter, text, secrets: plan.secrets)
            }
            addUpdates(of: session, secrets: plan.secrets)
        }
        fields.sort { $0.counted.title < $1.counted.title }
    }

    private mutating func addUpdates(of session: SessionPlan, secrets: Set<String>) {
        guard let plan = updates else { return }
        if plan.extent == .all {
            for (name, text) in session.adTagParameters where plan.adTagParameters[name] == nil {
                add(.update, name, text, secrets: secrets)
            }
        }
        for (name, text) in plan.adTagParameters { append(.update, name, text, secrets: secrets) }
    }

    private mutating func add(_ place: CountedField.Place, _ name: String, _ text: String, secrets: Set<String>) {
        guard !traits.isEmpty, !traits.placeholders(in: text).isEmpty else { return }
        append(place, name, text, secrets: secrets)
    }

    private mutating func append(_ place: CountedField.Place, _ name: String, _ text: String, secrets: Set<String>) {
        let isSecret =
            Redaction.hidesValues(of: name) || traits.holdSecrets(text)
            || secrets.contains { !$0.isEmpty && text.contains($0) }
        fields.append(Field(counted: CountedField(place, name, showsValues: !isSecret), text: text))
    }

    package var counted: [CountedField] { fields.map(\.counted) }

    /// Each sentence is a defect of podswarm; `cookies` is nil if the origin sets none.
    package func defects(in told: [String: ToldCount], cookies: CookieCount? = nil) -> [String] {
        var defects = fields.flatMap { self.defects($0, told[$0.counted.title]) }
        guard let cookies else { return defects }
        if cookies.foreign > 0 {
            defects.append("\(GroupedDigits.counted(cookies.foreign, "request")) brought a cookie of another viewer")
        }
        if !keepsCookies, cookies.returned > 0 {
            defects.append(
                "\(GroupedDigits.counted(cookies.returned, "request")) brought a cookie, though viewers keep none"
            )
        }
        return defects
    }

    private func defects(_ field: Field, _ count: ToldCount?) -> [String] {
        let title = field.counted.title
        guard let count else { return ["the origin did not count \(title)"] }
        var defects: [String] = []
        if count.requestsWithout > 0 {
            defects.append("\(GroupedDigits.counted(count.requestsWithout, "request")) came without \(title)")
        }
        if count.changed > 0 {
            defects.append(
                "\(GroupedDigits.counted(count.changed, "request")) said something else in \(title) than their viewer had said before"
            )
        }
        if digest(of: field, count.viewers) != count.digest {
            defects.append("viewers said something else in \(title) than is planned")
        }
        guard field.counted.place == .update, let updates else { return defects }
        let strangers = count.viewers.joined().count { !updates.concern(viewer: Int(clamping: $0), seed: seed) }
        if strangers > 0 {
            defects.append("\(GroupedDigits.counted(strangers, "viewer")) said something in \(title) who were not to")
        }
        return defects
    }

    private func digest(of field: Field, _ viewers: [ClosedRange<UInt64>]) -> String {
        // The origin undoes the encoding of the body, but not that within it.
        let isInBody = field.counted.place == .registration || field.counted.place == .update
        let hashes = viewers.joined().lazy.map { viewer in
            let text = traits.identity(ofViewer: Int(clamping: viewer)).filled(field.text)
            let value = isInBody ? RegistrationRequest.value(text, of: field.counted.name) : text
            return ToldCount.hash(value, of: viewer)
        }
        return ToldCount.digest(of: hashes)
    }
}
