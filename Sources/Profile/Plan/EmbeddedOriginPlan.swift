package import AdServing
import Values

/// A run passes it in encoded form to the origin that it starts.
package struct EmbeddedOriginPlan: Sendable, Equatable, Codable, TargetShape {
    package var usesTLS = false
    package var segmentDuration = Duration.seconds(2)
    package var windowSegments = 6
    package var variantCount = 2
    package var adDuration = Duration.seconds(5)
    package var announcesBreaks = true
    package var sessionValidity = Duration.seconds(28_800)
    package var metadataPollingFrequency = Duration.seconds(10)
    package var faultPlanPath: String? = nil
    package var channelPlanPath: String? = nil
    package var shape = EmbeddedShape.podServing
    package var reporting: MediaTailorPlan.Reporting? = nil
    package var aimingParameter: String? = nil
    package var signing: AddressSigning? = nil
    package var hasSessionPaths = false
    package var hasSessionPlaylists = false
    package var hasVerificationConflicts = false
    package var mediaIDs = MediaIDForm.whole
    package var redirectsMultivariant = false
    package var closesBreaks = false
    package var setsCookies = false
    /// The demo event of the IMA guide's sample.
    package var session = SessionPlan(networkCode: "21775744923", customAssetKey: "sgai-hls-live")

    package var addressFields: [(field: String, url: String)] { [] }
    package var authorisedHosts: [String] { [] }
    package var sessionCookies: [String]? { nil }
    package var hasMetadata: Bool { shape == .podServing || shape == .urlTemplates && mediaIDs == .prefixes }
    package var tracksAvails: Bool { shape == .mediaTailorStitched && reporting == .client }
    package var hasSession: Bool { shape != .mediaTailorImplicit && shape != .eyevinnProxy }
    package var sessionUpdates: SessionUpdatePlan? { session.updates }
    package var hasPods: Bool { shape == .podServing || shape == .urlTemplates }

    package static let fields = FieldList(EmbeddedOriginPlan()) { f in
        // The origin's media exists in these lengths.
        let lengths: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8)]
        let length = ScalarRule<Duration>.duration(.zero ... .seconds(3600))
            .refusing(allowed: "1s, 2s, 4s, 8s", schema: .choice(lengths.map(\.text))) {
                lengths.contains($0) ? nil : "is not a length the embedded origin has"
            }
        let window = ScalarRule<Int>.integer(0...1000)
            .refusing(allowed: "a whole number from 3 to 1000", schema: ScalarRule<Int>.integer(3...1000).schema) {
                $0 >= 3 ? nil : "is a window of less than 3 target durations (RFC 8216 section 6.2.2)"
            }
        f.add("tls", \.usesTLS, .boolean)
        f.add("segmentDuration", \.segmentDuration, length)
        f.add("windowSegments", \.windowSegments, window)
        f.add("variants", \.variantCount, .integer(1...2))
        f.add("adDuration", \.adDuration, .duration(.seconds(1) ... .seconds(600)))
        f.add("announceBreaks", \.announcesBreaks, .boolean)
        f.add("sessionValidity", \.sessionValidity, .duration(.seconds(10) ... .seconds(604_800)))
        f.add("metadataPolling", \.metadataPollingFrequency, .duration(.seconds(1) ... .seconds(600)))
        f.add("channel", \.channelPlanPath, .file)
        f.add("shape", \.shape, .choice, .unlessUsual)
        f.add("reporting", \.reporting, .choice)
        f.add("aimBy", \.aimingParameter, .text("a parameter's name, such as cohort"))
        f.add("signing", \.signing, .choice)
        f.add("mediaIDs", \.mediaIDs, .choice, .unlessUsual)
        f.add("sessionPaths", \.hasSessionPaths, .boolean, .unlessUsual)
        f.add("verificationConflicts", \.hasVerificationConflicts, .boolean, .unlessUsual)
        f.add("sessionPlaylists", \.hasSessionPlaylists, .boolean, .unlessUsual)
        f.add("redirectMultivariant", \.redirectsMultivariant, .boolean, .unlessUsual)
        f.add("closeBreaks", \.closesBreaks, .boolean, .unlessUsual)
        f.add("cookies", \.setsCookies, .boolean, .unlessUsual)
        f.add("faults", \.faultPlanPath, .file, .free)
        f.include(\.session, digestPath: "session")
    }

    package mutating func settle(_ section: ProfileSection) {
        let polling = metadataPollingFrequency
        section["sessionValidity", "metadataPolling", if: sessionValidity <= polling] =
            "sessions of \(sessionValidity.text) end before their metadata is polled, every \(polling.text)"
        if let name = aimingParameter, section.isWhollySound("adTagParameters") {
            section["aimBy", "adTagParameters", if: session.adTagParameters[name] == nil] =
                "\"\(ShownValue.of(name))\" is not a registration parameter; "
                + "allowed: a name of target.embedded.adTagParameters"
        }
        let reported: [EmbeddedShape] = [.mediaTailorImplicit, .mediaTailorExplicit, .mediaTailorStitched]
        section["reporting", "shape", if: reporting != nil && !reported.contains(shape)] =
            "has no effect in this shape; allowed: media-tailor-implicit, media-tailor-explicit and media-tailor-stitched"
        section["sessionPlaylists", "shape", if: hasSessionPlaylists && !hasPods] =
            "has no effect in this shape; allowed: pod-serving and url-templates"
        section["closeBreaks", "announceBreaks", if: closesBreaks && !announcesBreaks] =
            "there are no announced breaks to close"
        section["sessionUpdates", "shape", if: session.updates != nil && shape != .podServing] =
            "has no effect in this shape; allowed: pod-serving"
        session.settle(section)
    }
}

/// The embedded origin serves all shapes from one channel.
package enum EmbeddedShape: String, Codable, Sendable, CaseIterable {
    case podServing = "pod-serving"
    case mediaTailorImplicit = "media-tailor-implicit"
    case mediaTailorExplicit = "media-tailor-explicit"
    /// Explicit sessions of a channel with stitched breaks.
    case mediaTailorStitched = "media-tailor-stitched"
    case eyevinnProxy = "eyevinn-proxy"
    case urlTemplates = "url-templates"
}
