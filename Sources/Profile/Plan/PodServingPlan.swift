package import AdServing
import Values

/// An existing live channel and ad server in the shape of Google's pod-serving guide.
package struct PodServingPlan: Sendable, Equatable, TargetShape {
    package var contentURL = ""
    package var adServer = "https://dai.google.com"
    package var backupAdServer: String? = nil
    package var authorisedHosts: [String] = []
    /// The guide's metadata lists prefixes.
    package var mediaIDs = MediaIDForm.prefixes
    package var sessionCookies: [String]? = nil
    package var session = SessionPlan()

    package var addressFields: [(field: String, url: String)] {
        [("contentURL", contentURL), ("adServer", adServer)] + (backupAdServer.map { [("backupAdServer", $0)] } ?? [])
    }
    package var hasMetadata: Bool { true }
    package var sessionUpdates: SessionUpdatePlan? { session.updates }
    package var hasPods: Bool { true }

    package static let fields = FieldList(PodServingPlan()) { f in
        let content = ScalarRule.urlTemplate(Placeholders.ofViewer, f.traits)
        f.add("contentURL", \.contentURL, content, [.required, .scheme])
        f.add("adServer", \.adServer, .serverURL, .scheme)
        f.add("backupAdServer", \.backupAdServer, .serverURL, .scheme)
        f.addHosts(\.authorisedHosts)
        f.add("mediaIDs", \.mediaIDs, .choice, [.unlessUsual, .free])
        f.addSessionCookies(\.sessionCookies)
        f.include(\.session, digestPath: "session", requiring: ["networkCode", "customAssetKey"])
    }

    package mutating func settle(_ section: ProfileSection) {
        let isSame = backupAdServer.map { WebAddress($0) == WebAddress(adServer) } ?? false
        section["backupAdServer", "adServer", if: isSame] = "is the ad server itself"
        session.settle(section)
    }
}

/// Registration of a viewer at the ad server.
package struct SessionPlan: Sendable, Equatable, Codable, ProfileFields {
    package var networkCode = ""
    package var customAssetKey = ""
    package var adTagParameters: [String: String] = [:]
    package var authTokenKey: String? = nil
    package var authTokenValidity = Duration.seconds(3600)
    package var custParams: String? = nil
    package var scte35: String? = nil
    package var updates: SessionUpdatePlan? = nil

    package static let fields = FieldList(SessionPlan()) { f in
        f.add("networkCode", \.networkCode, .networkCode, .free)
        f.add("customAssetKey", \.customAssetKey, .assetKey, .free)
        f.add("adTagParameters", \.adTagParameters, .parameters(f.traits, isRegistration: true))
        f.add("authTokenKey", \.authTokenKey, .secret, [.apart, .presence])
        f.add("authTokenValidity", \.authTokenValidity, .duration(.seconds(10) ... .seconds(604_800)), .apart)
        f.digest { $2.add("\($1).authToken", $0.authTokenKey == nil ? nil : $0.authTokenValidity) }
        f.add("custParams", \.custParams, .claim(f.traits))
        f.add("scte35", \.scte35, .scte35)
        f.add("sessionUpdates", \.updates, .section(where: { $0.share > 0 }), .apart)
        f.digest { if let updates = $0.updates { $2.add("\($1).updates", fieldsOf: updates) } }
    }

    package mutating func settle(_ section: ProfileSection) {
        let registered = adTagParameters[WireName.customParametersParameter]
        let isOther = custParams != nil && registered != nil && registered != custParams
        section["custParams", "adTagParameters", if: isOther] =
            "says something else than cust_params of \(section.fieldPath("adTagParameters")): viewers would register "
            + "with the one and ask for pods with the other; allowed: one of the two, or the same text"
        let isUnused = authTokenKey == nil && section.has("authTokenValidity")
        section["authTokenValidity", "authTokenKey", if: isUnused] =
            "has no effect without \(section.fieldPath("authTokenKey"))"
        guard let updated = updates?.adTagParameters else { return }
        let parameters = "sessionUpdates.adTagParameters"
        let isSame = updated.allSatisfy { adTagParameters[$0.key] == $0.value } && section.isWhollySound(parameters)
        section[parameters, "adTagParameters", if: isSame] =
            "says what viewers register with anyway; "
            + "allowed: other values than those of \(section.fieldPath("adTagParameters"))"
        let isTold = custParams != nil && updated[WireName.customParametersParameter] != nil
        section[parameters, "custParams", if: isTold] =
            "has cust_params, which each pod request tells again as \(section.fieldPath("custParams")) says; "
            + "allowed: one of the two"
    }
}

/// Google lists the `session_update_url` but does not document its request in pod serving; each assumption has a field here.
package struct SessionUpdatePlan: Sendable, Equatable, Codable, ProfileFields {
    /// `json` is the syntax of the client guide's header.
    package enum Body: String, Codable, Sendable, CaseIterable {
        case form, json
    }

    package enum Extent: String, Codable, Sendable, CaseIterable {
        /// Right whether the server replaces all parameters or only those named.
        case all
        case changed
    }

    package var share = 0.0
    package var every = Duration.seconds(60)
    package var adTagParameters: [String: String] = [:]
    package var body = Body.form
    package var extent = Extent.all

    package static let fields = FieldList(SessionUpdatePlan()) { f in
        f.add("share", \.share, .share, .required)
        f.add("every", \.every, .duration(.seconds(1) ... .seconds(86_400)))
        f.add("adTagParameters", \.adTagParameters, .parameters(f.traits, isRegistration: true))
        f.add("body", \.body, .choice)
        f.add("sends", \.extent, .choice)
    }

    package mutating func settle(_ section: ProfileSection) {
        let isEmpty = section.isPresent && adTagParameters.isEmpty && section.isWhollySound("adTagParameters")
        section.reading[section.fieldPath("adTagParameters"), section.path, if: isEmpty] =
            "has no parameter in it, so that an update would change nothing; "
            + "allowed: names of parameters with their new values"
    }
}

extension ScalarRule<String> {
    /// A child publisher's code follows its parent's after a comma.
    fileprivate static var networkCode: ScalarRule {
        pathWord("digits, such as 21775744923") { $0.isDigit || $0 == UInt8(ascii: ",") }
    }

    fileprivate static var assetKey: ScalarRule {
        pathWord("letters, digits, '-', '_' and '.'") { byte in
            byte.isAlphanumeric || [UInt8]("-_.".utf8).contains(byte)
        }
    }

    static var scte35: ScalarRule {
        pathWord("a splice_info_section in base64 or hexadecimal") { byte in
            byte.isAlphanumeric || [UInt8]("+/=".utf8).contains(byte)
        }
    }
}
