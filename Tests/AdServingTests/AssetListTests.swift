import HLS
import TestSupport
import Testing

@testable import AdServing

@Suite struct AssetListTests {
    private func list(_ text: String) throws -> AssetList { try AssetList(parsing: Array(text.utf8)) }

    /// Lists of bis-22 appendix D.7, of SVTA 2053-2, and with MediaTailor's TRACKING section ("Client-side beaconing").
    @Test(arguments: try CaseFile.all(in: "Tests/AdServingTests/AssetLists"))
    func isReadAsPlayersDo(_ file: CaseFile) throws {
        let list = try list(file.text)
        var said: [String] = []
        for asset in list.assets {
            let isSound = asset.hasNumber && asset.isAbsolute
            said.append("asset of \(asset.duration): \(asset.uri)" + (isSound ? "" : ", not sound"))
            said += lines(of: asset.signaling) + asset.beacons.map(line)
        }
        said += lines(of: list.signaling).map { "list: \($0)" } + list.beacons.map { "break: \(line($0))" }
        if let skip = list.skipControl {
            said.append("skipped after \(skip.offsetSeconds ?? 0) s, for \(skip.durationSeconds ?? 0) s")
        }
        if let incomplete = list.incomplete {
            let what = incomplete.lacksURI ? "incomplete, no URI" : "incomplete"
            said.append("\(what): \(incomplete.places), of \(list.entryCount)")
        }
        if let doubled = list.doubledEvent { said.append("doubled: \(doubled)") }
        try file.expect(said + ["in all \(list.duration)"])
    }

    private func line(_ beacon: TrackingBeacon) -> String {
        "\(beacon.event) after \(Int((beacon.offset / .milliseconds(1)).rounded())) ms: \(beacon.url)"
    }

    private func lines(of signaling: CreativeSignaling?) -> [String] {
        (signaling?.items ?? []).flatMap { lines(of: $0, called: signaling?.kind.rawValue ?? "") }
    }

    private func lines(of item: CreativeSignaling.Item, called kind: String) -> [String] {
        ["\(kind) at \(item.start) of \(item.duration)"]
            + item.tracking.map { "\($0.type)\($0.offset.map { " after \($0)" } ?? ""): \($0.urls)" }
            + item.slots.flatMap { lines(of: $0, called: "slot") }
    }

    @Test func aRelativeURIIsResolvedAgainstTheList() {
        let asset = AssetList.Asset(uri: "a.m3u8", duration: .seconds(1))
        #expect(AssetList.resolved(asset, against: "https://ads/l/list.json?x") == "https://ads/l/a.m3u8")
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
        #expect((list.duration, list.hasUnclearDuration) == (.milliseconds(milliseconds), isUnclear))
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
        ] as [(String, AdServingError)]
    ) func whatIsNoListIsTold(_ text: String, _ error: AdServingError) { #expect(throws: error) { try list(text) } }

    @Test func listsAreBounded() {
        let asset = "{\"URI\":\"a\",\"DURATION\":1}"
        let thousand = Array(repeating: asset, count: 1_000).joined(separator: ",")
        #expect(throws: Never.self) { try list("{\"ASSETS\":[\(thousand)]}") }
        #expect(throws: AdServingError.tooManyAssets) { try list("{\"ASSETS\":[\(thousand),\(asset)]}") }
        #expect(throws: AdServingError.tooLarge) {
            try list(String(repeating: " ", count: 1 << 20) + "{\"ASSETS\":[]}")
        }
        let nested = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(throws: AdServingError.tooDeep) { try list("{\"ASSETS\":[],\"X\":\(nested)}") }
        let many = String(repeating: "0,", count: 250_000)
        #expect(throws: AdServingError.tooManyValues) { try list("{\"ASSETS\":[],\"X\":[\(many)0]}") }
    }

    @Test func aTrackingSectionIsBounded() throws {
        let event = #"{"beaconUrls":["https://t/s"],"eventType":"start","startTimeInSeconds":0}"#
        let ad = #"{"startTimeInSeconds":0,"durationInSeconds":15,"trackingEvents":[\#(event)]}"#
        for (count, beacons) in [(1_000, 1_000), (1_001, 0)] {
            let ads = Array(repeating: ad, count: count).joined(separator: ",")
            let tracking = #"{"avails":[{"startTimeInSeconds":0,"ads":[\#(ads)]}]}"#
            let list = try list(#"{"ASSETS":[{"URI":"a","DURATION":15}],"TRACKING":\#(tracking)}"#)
            #expect(list.assets[0].beacons.count == beacons)
        }
    }
}
