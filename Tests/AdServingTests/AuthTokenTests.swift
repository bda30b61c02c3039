import AdServing
import Testing

@Suite struct AuthTokenTests {
    /// The key of Google's published examples, used as text.
    private let key = "A7490591290583E4B93189DEE7E287C299FC686872ABC7ADC9F9F536443505F"

    private let fields = [
        "cust_params": "", "custom_asset_key": "iYdOkYZdQ1KFULXSN0Gi7g", "exp": "1489680000", "network_code": "6062",
        "pd": "180000", "pod_id": "5", "scte35": "",
    ]

    @Test func signsThePublishedExample() {
        #expect(
            AuthToken.sign(fields: fields, key: key)
                == "cust_params=~custom_asset_key=iYdOkYZdQ1KFULXSN0Gi7g~exp=1489680000~network_code=6062~pd=180000"
                + "~pod_id=5~scte35=~hmac=ea1081cc1ab83cacd1e64073fc19e64616b2571249232917dc9f539cafb4b94e"
        )
    }

    @Test func signsThePublishedExampleInItsOlderOrder() {
        let text =
            "custom_asset_key=iYdOkYZdQ1KFULXSN0Gi7g~cust_params=~exp=1489680000~network_code=6062~pd=180000"
            + "~pod_id=5~scte35="
        let signature = AuthToken.signature(of: text, key: key)
        #expect(signature == "86d7e5f8c96fe4c83141d764df376ae14a0e2066f2e6b2ccfb9e1e2d3c869a88")
    }

    /// RFC 4231 test case 2.
    @Test func agreesWithTheStandardsVector() {
        #expect(
            AuthToken.signature(of: "what do ya want for nothing?", key: "Jefe")
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
    }

    @Test func theFieldsOfATokenCanBeRead() {
        #expect(AuthToken.fields(of: AuthToken.sign(fields: fields, key: key)) == fields)
        #expect(AuthToken.fields(of: "exp=1~pd=2") == nil)
        #expect(AuthToken.fields(of: "exp=1~exp=2~hmac=00") == nil)
        #expect(AuthToken.fields(of: "exp~hmac=00") == nil)
        #expect(AuthToken.fields(of: "a=b=c~hmac=00") == ["a": "b=c"])
    }

    @Test func anEmptyKeyAndNoFieldsStillSign() {
        let token = AuthToken.sign(fields: [:], key: "")
        #expect(token == "~hmac=b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}
