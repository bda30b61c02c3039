import HLS
import Testing

@testable import AdServing

@Suite struct AssetListTests {
    private func list(_ text: String) throws -> AssetList {
        try AssetList(parsing: Array(text.utf8))
    }

    /// The list of bis-22 appendix D.7.
    @Test func readsTheSpecificationsExample() throws {
        let list = try list(
            """
            {
                "ASSETS": [
                    { "URI" : "http://example.com/ad1.m3u8", "DURATION" : 15 },
                    { "URI" : "http://example.com/ad2.m3u8", "DURATION" : 15 }
                ],
                "SKIP-CONTROL": { "OFFSET": 5, "DURATION": 20 }
            }
            """
        )
        #expect(
            list.assets == [
                .init(uri: "http://example.com/ad1.m3u8", duration: .seconds(15)),
                .init(uri: "http://example.com/ad2.m3u8", duration: .seconds(15)),
            ]
        )
        #expect(list.skipControl == SkipControl(offsetSeconds: 5, durationSeconds: 20, labelID: nil))
        #expect(list.duration == .seconds(30))
        #expect(list.signaling == nil)
    }

    @Test func isAsTolerantAsPlayers() throws {
        let list = try list(
            """
            {"assets":1,"X":{"Y":[null]},"SKIP-CONTROL":"no","X-AD-CREATIVE-SIGNALING":{"payload":[]},
             "ASSETS":[{"URI":"a.m3u8","DURATION":"9.96","EXTRA":true,"X-AD-CREATIVE-SIGNALING":7},
                       {"DURATION":1.5,"URI":"https://h/\\u00e9"}]}
            """
        )
        var unsound = AssetList.Asset(uri: "a.m3u8", duration: .milliseconds(9_960))
        unsound.isSound = false
        #expect(
            list.assets == [
                unsound,
                .init(uri: "https://h/é", duration: .milliseconds(1_500)),
            ]
        )
        #expect(list.skipControl == nil)
        #expect(list.signaling == nil)
        #expect(AssetList.resolved(list.assets[0], against: "https://ads/l/list.json?x") == "https://ads/l/a.m3u8")
    }

    /// As `parseFloat` reads it.
    @Test(
        arguments: [
            ("12.5", 12_500, false), (" 5 ", 5_000, false), ("1e1", 10_000, false), ("7.", 7_000, false),
            ("30s", 30_000, true), ("00:00:30", 0, true), ("5e", 5_000, true), ("1.5.5", 1_500, true),
        ]
    )
    func aDurationMayBeTextThatBeginsWithANumber(_ text: String, _ milliseconds: Int, _ isUnclear: Bool) throws {
        let list = try list("{\"ASSETS\":[{\"URI\":\"a\",\"DURATION\":\"\(text)\"}]}")
        #expect(list.duration == .milliseconds(milliseconds))
        #expect(list.hasUnclearDuration == isUnclear)
    }

    @Test func anEmptyListIsAList() throws {
        #expect(try list("{\"ASSETS\":[]}").assets.isEmpty)
        #expect(try list("{\"ASSETS\":[]}").duration == .zero)
    }

    @Test(
        arguments: [
            ("", .notJSON), ("{", .notJSON), ("<html>", .notJSON), ("[]", .notAnObject), ("7", .notAnObject),
            ("{}", .noAssets),
            ("{\"ASSETS\":null}", .noAssets), ("{\"ASSETS\":{}}", .noAssets), ("{\"ASSETS\":\"x\"}", .noAssets),
            ("{\"Assets\":[]}", .noAssets), ("{\"ASSETS\":[1]}", .badAsset), ("{\"ASSETS\":[null]}", .badAsset),
            ("{\"ASSETS\":[{\"URI\":\"a\"}]}", .badDuration), ("{\"ASSETS\":[{\"DURATION\":1}]}", .badAsset),
            ("{\"ASSETS\":[{\"URI\":\"\",\"DURATION\":1}]}", .badAsset),
            ("{\"ASSETS\":[{\"URI\":1,\"DURATION\":1}]}", .badAsset),
            ("{\"ASSETS\":[{\"URI\":\"a\",\"DURATION\":-1}]}", .badDuration),
            ("{\"ASSETS\":[{\"URI\":\"a\",\"DURATION\":\"long\"}]}", .badDuration),
            ("{\"ASSETS\":[{\"URI\":\"a\",\"DURATION\":\"nan\"}]}", .badDuration),
            ("{\"ASSETS\":[{\"URI\":\"a\",\"DURATION\":1e300}]}", .badDuration),
        ] as [(String, AssetListError)]
    )
    func whatIsNoListIsTold(_ text: String, _ error: AssetListError) {
        #expect(throws: error) { try list(text) }
    }

    @Test func listsAreBounded() {
        let asset = "{\"URI\":\"a\",\"DURATION\":1}"
        let thousand = Array(repeating: asset, count: 1_000).joined(separator: ",")
        #expect(throws: Never.self) { try list("{\"ASSETS\":[\(thousand)]}") }
        #expect(throws: AssetListError.tooManyAssets) { try list("{\"ASSETS\":[\(thousand),\(asset)]}") }
        #expect(throws: AssetListError.tooLarge) {
            try list(String(repeating: " ", count: 1 << 20) + "{\"ASSETS\":[]}")
        }
        let nested = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(throws: AssetListError.tooDeep) { try list("{\"ASSETS\":[],\"X\":\(nested)}") }
        let many = String(repeating: "0,", count: 250_000)
        #expect(throws: AssetListError.tooManyValues) { try list("{\"ASSETS\":[],\"X\":[\(many)0]}") }
    }

    @Test func signalingStandsBesideTheListAndItsAssets() throws {
        let list = try list(
            """
            {"X-AD-CREATIVE-SIGNALING":{"version":2,"type":"pod","payload":[{"duration":21.5,
               "tracking":[{"type":"podStart","urls":["https://t/pod"]}],
               "slots":[{"type":"linear","start":0.5,"duration":10,"tracking":[]}]}]},
             "ASSETS":[{"URI":"https://h/1.m3u8","DURATION":10.5,"X-AD-CREATIVE-SIGNALING":{"version":2,"type":"slot",
               "payload":[{"start":0,"duration":10.5,"tracking":[
                 {"type":"progress","offset":2.5,"urls":["https://t/p?a=1&b=2","https://u/p"]}]}]}}]}
            """
        )
        let slot = CreativeSignaling(
            kind: .slot,
            items: [
                .init(
                    duration: .milliseconds(10_500),
                    tracking: [
                        .init(
                            type: "progress",
                            offset: .milliseconds(2_500),
                            urls: ["https://t/p?a=1&b=2", "https://u/p"]
                        )
                    ]
                )
            ]
        )
        let pod = CreativeSignaling(
            kind: .pod,
            items: [
                .init(
                    duration: .milliseconds(21_500),
                    tracking: [.init(type: "podStart", urls: ["https://t/pod"])],
                    slots: [.init(start: .milliseconds(500), duration: .seconds(10), tracking: [])]
                )
            ]
        )
        #expect(list.signaling == pod)
        #expect(list.assets.map(\.signaling) == [slot])
    }
}
