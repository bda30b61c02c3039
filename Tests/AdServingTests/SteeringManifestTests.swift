import Testing

@testable import AdServing
@testable import HLS

@Suite struct SteeringManifestTests {
    private func manifest(_ text: String) throws -> SteeringManifest {
        try Array(text.utf8).withUnsafeBytes { try SteeringManifest.parse($0) }
    }

    @Test func readsEveryMember() throws {
        let manifest = try manifest(
            """
            {"VERSION":1,"TTL":60,"RELOAD-URI":"/again?s=1","PATHWAY-PRIORITY":["CDN-B","CDN-A"],"NEW":1,
             "PATHWAY-CLONES":[{"BASE-ID":"CDN-A","ID":"CDN-C","URI-REPLACEMENT":{"HOST":"c.example.com",
               "PARAMS":{"t":"1"},"PER-VARIANT-URIS":{"v":"https://v"},"PER-RENDITION-URIS":{"r":"https://r"}}},
               {"ID":"no base"},{"BASE-ID":"no id"},7]}
            """
        )
        let expected = SteeringManifest(
            timeToLive: .seconds(60),
            reloadURI: "/again?s=1",
            pathwayPriority: ["CDN-B", "CDN-A"],
            pathwayClones: [
                PathwayClone(
                    baseID: "CDN-A",
                    id: "CDN-C",
                    host: "c.example.com",
                    parameters: ["t": "1"],
                    variantURIs: ["v": "https://v"],
                    renditionURIs: ["r": "https://r"]
                )
            ]
        )
        #expect(manifest == expected)
    }

    @Test(arguments: ["", ",\"TTL\":0", ",\"TTL\":-5", ",\"TTL\":\"soon\""])
    func withoutATimeToLiveItIsFiveMinutes(_ member: String) throws {
        #expect(try manifest("{\"VERSION\":1,\"PATHWAY-PRIORITY\":[\"A\"]\(member)}").timeToLive == .seconds(300))
    }

    @Test(
        arguments: [
            ("", .notJSON), ("[]", .notAnObject), ("{\"PATHWAY-PRIORITY\":[\"A\"]}", .unknownVersion),
            ("{\"VERSION\":2,\"PATHWAY-PRIORITY\":[\"A\"]}", .unknownVersion), ("{\"VERSION\":1}", .noPathways),
            ("{\"VERSION\":1,\"PATHWAY-PRIORITY\":[]}", .noPathways),
            ("{\"VERSION\":1,\"PATHWAY-PRIORITY\":[1,\"\"]}", .noPathways),
            ("{\"VERSION\":1,\"PATHWAY-PRIORITY\":\"A\"}", .noPathways),
        ] as [(String, AdServingError)]
    ) func whatIsNoManifestIsTold(_ text: String, _ error: AdServingError) {
        #expect(throws: error) { try manifest(text) }
    }

    @Test func manifestsAreBounded() {
        let nested = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(throws: AdServingError.tooDeep) { try manifest("{\"X\":\(nested)}") }
        let many = String(repeating: "0,", count: 250_000)
        #expect(throws: AdServingError.tooManyValues) { try manifest("{\"X\":[\(many)0]}") }
        #expect(throws: AdServingError.tooLarge) { try manifest(String(repeating: " ", count: (16 << 20) + 1)) }
    }

    @Test func aDataURICarriesAManifest() throws {
        let uri = "data:application/json;base64,eyJWRVJTSU9OIjoxLCJQQVRIV0FZLVBSSU9SSVRZIjpbIkEiXX0="
        #expect(try SteeringManifest.parse(dataURI: uri).pathwayPriority == ["A"])
        #expect(throws: AdServingError.notJSON) { try SteeringManifest.parse(dataURI: "https://h/") }
    }
}
