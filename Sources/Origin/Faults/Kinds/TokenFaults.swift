import AdServing
import HLS
import HTTPTypes

// Invalid signed addresses in pod manifests. All viewers of a break get one token; another one would make another pod of it.
enum TokenFaults {
    /// A token that expired five minutes before the break, as if signed at its announcement.
    static let tokenExpired = FaultKind(
        "token_expired",
        kinds: [.podManifest],
        editing: { edit, _, occasion in
            edit.signAddresses(of: occasion, expiry: occasion.breakEpochSeconds - 300)
        }
    )

    /// `exp` in milliseconds, as in Google's HTML5 sample.
    static let tokenExpiryInMilliseconds = FaultKind(
        "token_expiry_in_milliseconds",
        kinds: [.podManifest],
        editing: { edit, _, occasion in
            edit.signAddresses(of: occasion, expiry: (occasion.breakEpochSeconds + 600) * 1_000)
        }
    )

    static let tokenOfAnotherBreak = FaultKind(
        "token_of_another_break",
        kinds: [.podManifest],
        editing: { edit, _, occasion in
            edit.signAddresses(of: occasion, expiry: occasion.breakEpochSeconds + 600, isOfBreakBefore: true)
        }
    )
}

extension FaultOccasion {
    fileprivate var breakEpochSeconds: Int64 { (breakStart ?? now).epochSeconds }
}

extension AnswerEdit {
    /// Any key will do: the origin does not check these tokens.
    private static let key = "planned-fault"

    /// Adds a pod's token (Ad Manager, HMAC tokens) to each address of a pod manifest.
    fileprivate mutating func signAddresses(of occasion: FaultOccasion, expiry: Int64, isOfBreakBefore: Bool = false) {
        guard status == .ok, let identifier = PodIdentifier(inURL: occasion.target) else { return }
        var fields = [WireName.Token.expiry: String(expiry)]
        switch identifier {
        case .sequence(let number):
            fields[WireName.Token.podID] = String(isOfBreakBefore ? number - 1 : number)
        case .adBreakID(let name):
            fields[WireName.Token.adBreakID] = isOfBreakBefore ? "\(name)-before" : name
        }
        let token = PercentEncoding.encode(AuthToken.sign(fields: fields, key: Self.key))
        for place in uriLines {
            lines[place] += "\(lines[place].contains("?") ? "&" : "?")\(WireName.authTokenParameter)=\(token)"
        }
    }
}
