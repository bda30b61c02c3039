import AdServing
import HLS
import HTTPTypes

// Signed addresses inside of pod manifests, wrong in one way each. All viewers of a break get the same token, for another
// one would make another pod of it.
enum TokenFaults {
    /// The token ran out five minutes before the break, as one does that was signed when the break was announced.
    static let tokenExpired = FaultKind(
        "token_expired",
        kinds: [.podManifest],
        editing: { edit, _, occasion in
            edit.signAddresses(of: occasion, expiry: occasion.breakEpochSeconds - 300)
        }
    )

    /// `exp` counts milliseconds, as Google's HTML5 sample has it.
    static let tokenExpiryInMilliseconds = FaultKind(
        "token_expiry_in_milliseconds",
        kinds: [.podManifest],
        editing: { edit, _, occasion in
            edit.signAddresses(of: occasion, expiry: (occasion.breakEpochSeconds + 600) * 1_000)
        }
    )

    /// The token was made for the break before.
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
    /// Nobody checks these tokens here; players and harnesses can read them all the same.
    private static let key = "planned-fault"

    /// Signs each address of a pod manifest, with the fields of a pod's token (Ad Manager, HMAC tokens).
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
