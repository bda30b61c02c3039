import AdServing
import HLS
import Testing

@testable import Origin

/// The vectors are Ad Manager's own, from "Authenticate requests with HMAC tokens".
@Suite struct TokenCheckTests {
    private static let key = "A7490591290583E4B93189DEE7E287C299FC686872ABC7ADC9F9F536443505F"
    private static let text =
        "cust_params=~custom_asset_key=iYdOkYZdQ1KFULXSN0Gi7g~exp=1489680000~network_code=6062~pd=180000~pod_id=5~scte35="
    private static let signature = "ea1081cc1ab83cacd1e64073fc19e64616b2571249232917dc9f539cafb4b94e"
    private static let fields = [
        "custom_asset_key": "iYdOkYZdQ1KFULXSN0Gi7g", "network_code": "6062", "pd": "180000", "pod_id": "5",
    ]
    private static let before = WallTime(microseconds: 1_489_679_999_000_000)
    private static var token: String { "\(text)~hmac=\(signature)" }

    @Test func publishedTokenIsAccepted() {
        #expect(TokenCheck(key: Self.key).accepts(Self.token, required: Self.fields, at: Self.before))
    }

    @Test func tokenSignedForClientsIsAccepted() {
        let fields = Self.fields.merging(["exp": "1489680000"]) { first, _ in first }
        let token = AuthToken.sign(fields: fields, key: "a key")
        #expect(TokenCheck(key: "a key").accepts(token, required: Self.fields, at: Self.before))
        #expect(!TokenCheck(key: "another").accepts(token, required: Self.fields, at: Self.before))
    }

    @Test func expiredTokenIsRefused() {
        let after = WallTime(microseconds: 1_489_680_001_000_000)
        #expect(!TokenCheck(key: Self.key).accepts(Self.token, required: Self.fields, at: after))
    }

    @Test func tokenForSomethingElseIsRefused() {
        for (name, _) in Self.fields {
            var other = Self.fields
            other[name] = "7"
            #expect(!TokenCheck(key: Self.key).accepts(Self.token, required: other, at: Self.before), "\(name)")
        }
        #expect(!TokenCheck(key: Self.key).accepts(Self.token, required: ["ad_break_id": "x"], at: Self.before))
    }

    @Test func anyChangedByteIsRefused() {
        let bytes = Array(Self.token.utf8)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            let token = String(decoding: changed, as: UTF8.self)
            #expect(!TokenCheck(key: Self.key).accepts(token, required: [:], at: Self.before), "byte \(place)")
        }
    }

    @Test(arguments: [nil, "", "~hmac=", "a=b", "exp=99999999999~hmac=00", "~hmac=~hmac=", "é~hmac=é"])
    func nonsenseIsRefused(token: String?) {
        #expect(!TokenCheck(key: Self.key).accepts(token, required: [:], at: Self.before))
    }
}
