import Testing

@testable import HLS

@Suite struct URLQueryTests {
    @Test(arguments: [
        "https://h/a", "https://h/a?b=1", "https://h/a?b=1&c", "https://h/a?b=%20+x#f?g=1", "a.m3u8", "?x=1", "",
        "https://h/a#f",
    ]) func whatIsNotChangedKeepsItsSpelling(_ url: String) { #expect(URLQuery(of: url).url == url) }

    @Test func valuesAreDecoded() {
        let query = URLQuery(of: "https://h/?a=%3A%2f+&b&c=&%64=x&a=2#a=3")
        #expect(query.value(of: "a") == ":/+")
        #expect(query.value(of: "b") == "")
        #expect(query.value(of: "c") == "")
        #expect(query.value(of: "d") == "x")
        #expect(query.value(of: "e") == nil)
    }

    @Test func aParameterIsReplacedWhereItStandsOrAppended() {
        var query = URLQuery(of: "https://h/p?a=1&b=2#end")
        query.set("a", to: "x y&z")
        query.set("c", to: "ü")
        #expect(query.url == "https://h/p?a=x%20y%26z&b=2&c=%C3%BC#end")
        query.remove("a")
        query.remove("b")
        query.remove("c")
        #expect(query.url == "https://h/p#end")
    }

    @Test func parametersAreSortedByBytes() {
        var query = URLQuery(of: "https://h/p?token=1&_HLS_skip=YES&Z=1&_HLS_msn=5&%C3%A9=1&a=2")
        query.sort()
        #expect(query.url == "https://h/p?%C3%A9=1&Z=1&_HLS_msn=5&_HLS_skip=YES&a=2&token=1")
    }
}

@Suite struct InterstitialQueryTests {
    private func url(of content: Interstitial.Content) -> String {
        InterstitialQuery.url(of: content, primaryID: "session 1", offset: .microseconds(3_250_500))
    }

    @Test func bothParametersGoOnAnAssetList() {
        #expect(
            url(of: .assetList(uri: "https://ads/list?_HLS_interstitial_id=ad1#x"))
                == "https://ads/list?_HLS_interstitial_id=ad1&_HLS_primary_id=session%201&_HLS_start_offset=3.251#x"
        )
    }

    @Test func onlyThePrimaryIdentifierGoesOnAnAsset() {
        #expect(url(of: .asset(uri: "https://ads/1.m3u8")) == "https://ads/1.m3u8?_HLS_primary_id=session%201")
    }

    @Test func aPlayerThatSendsNothingChangesNothing() {
        #expect(InterstitialQuery.url(of: .assetList(uri: "https://a/?b=1"), primaryID: nil) == "https://a/?b=1")
        #expect(url(of: .assetList(uri: "data:application/json,{}")) == "data:application/json,{}")
    }

    @Test(
        arguments: [
            (0, "0"), (499, "0"), (500, "0.001"), (1_000, "0.001"), (1_500_000, "1.5"), (10_000_000, "10"),
            (12_345_678, "12.346"),
        ] as [(Int64, String)]
    ) func offsetsAreRoundedToTheMillisecond(_ microseconds: Int64, _ text: String) {
        #expect(InterstitialQuery.secondsText(.microseconds(microseconds)) == text)
    }
}
