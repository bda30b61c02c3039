package import AdServing
package import Rules
import Values

@dynamicMemberLookup
package enum TargetPlan: Sendable, Equatable {
    case embedded(EmbeddedOriginPlan)
    case podServing(PodServingPlan)
    case mediaTailor(MediaTailorPlan)
    case eyevinnProxy(EyevinnProxyPlan)
    case urlTemplates(URLTemplatesPlan)

    static let names = ["embedded", "podServing", "mediaTailor", "eyevinnProxy", "urlTemplates"]

    package var name: String { named.name }
    package var shape: any TargetShape { named.shape }

    private var named: (name: String, shape: any TargetShape) {
        switch self {
        case .embedded(let target): ("embedded", target)
        case .podServing(let target): ("podServing", target)
        case .mediaTailor(let target): ("mediaTailor", target)
        case .eyevinnProxy(let target): ("eyevinnProxy", target)
        case .urlTemplates(let target): ("urlTemplates", target)
        }
    }

    /// Replaces an invalid target by an embedded origin with defaults.
    static func read(_ section: ProfileSection, at key: String) -> TargetPlan {
        section.oneOf(key, shorthands: ["embedded"], alternatives: names) { target in
            let fields = TargetFields(reading: target, over: .usual)
            if target.has("podServing") { return .podServing(fields.podServing ?? .usual) }
            if target.has("mediaTailor") { return .mediaTailor(fields.mediaTailor ?? .usual) }
            if target.has("eyevinnProxy") { return .eyevinnProxy(fields.eyevinnProxy ?? .usual) }
            if target.has("urlTemplates") { return .urlTemplates(fields.urlTemplates ?? .usual) }
            return .embedded(fields.embedded ?? .usual)
        }
    }

    static var schema: SchemaNode {
        let one = TargetFields.schema().with("minProperties", .number("1")).with("maxProperties", .number("1"))
        return .oneOf([.members([("const", .text("embedded"))]), one])
    }

    /// The workload has the target's shape in place of its addresses.
    func addLines(to form: inout CanonicalForm) {
        switch form.extent {
        case .plan: form.add("sessionCookies", shape.sessionCookies?.joined(separator: ", "))
        case .workload: form.add("target", name)
        }
        form.add(name, fieldsOf: shape)
    }

    package subscript<Fact>(dynamicMember fact: KeyPath<any TargetShape, Fact>) -> Fact { shape[keyPath: fact] }

    /// Vendors whose documents bind it; `urlTemplates` tells them by its hosts.
    package var vendors: [Vendor] {
        switch self {
        case .embedded(let origin):
            switch origin.shape {
            // Metadata alone is Google's form where URL templates are used.
            case .podServing, .urlTemplates: origin.hasMetadata ? [.google] : []
            case .mediaTailorImplicit, .mediaTailorExplicit, .mediaTailorStitched: [.aws]
            case .eyevinnProxy: []
            }
        case .podServing: [.google]
        case .mediaTailor: [.aws]
        case .eyevinnProxy: []
        case .urlTemplates(let templates):
            [Vendor.google, .aws].filter { vendor in
                let named = templates.authorisedHosts.map { String($0.lowercased().prefix { $0 != ":" }) }
                return (templates.addresses.compactMap { WebOrigin(of: $0)?.host } + named).contains(where: vendor.owns)
            }
        }
    }

    package var isEmbedded: Bool { if case .embedded = self { true } else { false } }

    /// Field with further hosts that may receive load.
    package var authorisedHostsField: String? { isEmbedded ? nil : "target.\(name).authorisedHosts" }

    /// Whether it is the embedded origin or has a loopback address.
    package var isOnThisMachine: Bool {
        isEmbedded || self.addresses.contains { WebOrigin(of: $0)?.isLoopback ?? false }
    }
}

struct TargetFields: ProfileFields {
    var embedded: EmbeddedOriginPlan? = nil
    var podServing: PodServingPlan? = nil
    var mediaTailor: MediaTailorPlan? = nil
    var eyevinnProxy: EyevinnProxyPlan? = nil
    var urlTemplates: URLTemplatesPlan? = nil

    static let fields = FieldList(TargetFields()) { f in
        f.add("embedded", \.embedded, .section)
        f.add("podServing", \.podServing, .section)
        f.add("mediaTailor", \.mediaTailor, .section)
        f.add("eyevinnProxy", \.eyevinnProxy, .section)
        f.add("urlTemplates", \.urlTemplates, .section)
    }
}

/// Facts of a target that runs ask for, whatever its shape.
package protocol TargetShape: ProfileFields {
    /// URLs by the fields that name them, placeholders filled with one viewer's values.
    var addressFields: [(field: String, url: String)] { get }
    /// Further hosts that may receive load.
    var authorisedHosts: [String] { get }
    /// Nil means those with `session` in their names.
    var sessionCookies: [String]? { get }
    var reporting: MediaTailorPlan.Reporting? { get }
    /// Nil for pod serving, whose registration has its own form, and for the embedded origin, whose address is not known yet.
    var templates: URLTemplateTarget? { get }
    /// Whether a session names metadata and the address of verification pings.
    var hasMetadata: Bool { get }
    var mediaIDs: MediaIDForm { get }
    /// Whether a session names a tracking URL that viewers poll for beacons.
    var tracksAvails: Bool { get }
    /// Whether viewers must register before ads.
    var hasSession: Bool { get }
    var sessionUpdates: SessionUpdatePlan? { get }
    /// Whether a client can ask for pods at breaks of its own.
    var hasPods: Bool { get }
}

extension TargetShape {
    package var addresses: [String] { addressFields.map(\.url) }
    package var reporting: MediaTailorPlan.Reporting? { nil }
    package var templates: URLTemplateTarget? { nil }
    package var hasMetadata: Bool { false }
    /// Prefixes for targets whose documents do not say so.
    package var mediaIDs: MediaIDForm { .prefixes }
    package var tracksAvails: Bool { templates?.session?.tracking != nil }
    package var hasSession: Bool { templates.map { $0.session != nil } ?? true }
    package var sessionUpdates: SessionUpdatePlan? { nil }
    package var hasPods: Bool { false }
}

extension FieldTable {
    mutating func addHosts(_ hosts: WritableKeyPath<Section, [String]>) {
        self.add("authorisedHosts", hosts, .list(of: .hostPattern, .sortedApart), .free)
    }

    mutating func addSessionCookies(_ cookies: WritableKeyPath<Section, [String]?>) {
        let name = ScalarRule<String>.text("the name of a cookie, such as JSESSIONID", schema: .type("string"))
        self.add("sessionCookies", cookies, .list(of: name), .undigested)
    }
}

extension FieldRule<[String: String]> {
    /// Values may contain placeholders; `isRegistration` rejects `auth-token`, which podswarm adds itself.
    static func parameters(_ traits: [String]?, isRegistration: Bool = false) -> FieldRule {
        FieldRule(
            allowed: "a mapping",
            schema: .mapping(to: .reference("text")),
            addLines: { $2.add($1, $0) },
            read: { section, key, _ in
                var parameters: [String: String] = [:]
                for (name, value) in section.dictionary(key, of: .claim(traits)) {
                    parameters[name] = value
                    let field = section.fieldPath("\(key).\(ShownValue.of(name))")
                    section.reading[field, if: !CharacterSets.isToken(name)] =
                        "\"\(ShownValue.of(name))\" cannot name a parameter; allowed: letters, digits, '-', '_' and '.'"
                    section.reading[field, if: isRegistration && name == "auth-token"] =
                        "podswarm makes this parameter itself; give its key as authTokenKey"
                }
                return parameters
            }
        )
    }
}

extension ScalarRule<String> {
    /// A value that a viewer sends about itself.
    static func claim(_ traits: [String]?) -> ScalarRule { text().withPlaceholders(Placeholders.ofViewer, traits) }

    static var hostPattern: ScalarRule {
        let allowed = "a host, host:port or *.suffix, such as dai.google.com or *.example.com"
        return text(allowed, schema: .type("string")).refusing { text in
            guard !text.contains("://") else { return "is a URL; write its host alone" }
            let host = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
            guard let authority = Authority(host) else { return "is not a host" }
            return text.hasPrefix("*.") && authority.port != nil ? "has both a wildcard and a port" : nil
        }
    }
}

/// Needed by a bill, not by a run; nil where the profile does not say.
package struct ExpectedChannel: Sendable, Equatable, ProfileFields {
    package var targetDuration: Duration? = nil
    package var breakInterval: Duration? = nil
    package var breakOffset: Duration? = nil
    package var breakDuration: Duration? = nil
    package var adDuration: Duration? = nil
    package var startEvery: Duration? = nil

    package static let targetDurations = Duration.seconds(1) ... .seconds(60)
    package static let breakIntervals = Duration.seconds(1) ... .seconds(86_400)
    package static let breakDurations = Duration.seconds(1) ... .seconds(3_600)

    package static let fields = FieldList(ExpectedChannel()) { f in
        f.add("targetDuration", \.targetDuration, .duration(targetDurations))
        f.add("breakInterval", \.breakInterval, .duration(breakIntervals))
        f.add("breakOffset", \.breakOffset, .duration(.zero ... .seconds(86_400)))
        f.add("breakDuration", \.breakDuration, .duration(breakDurations))
        f.add("adDuration", \.adDuration, .duration(breakDurations))
        f.add("startEvery", \.startEvery, .duration(breakIntervals))
    }
}
