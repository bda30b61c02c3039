import AdServing
import HLS
import LoadProfile
import Measurement

// What is wrong with asset lists and with the assets that they list.
extension Shard {
    func inspect(_ list: AssetList, _ subject: EventSubject, url: String, _ viewer: ViewerSlot, slot: Int32) {
        if list.hasTextDuration {
            self.found(
                .assetDurationMissing,
                url: url,
                expected: "a DURATION that is a number of seconds for each asset",
                observed: "a DURATION that is text",
                viewer,
                breakSlot: slot
            )
        }
        // A viewer that joins at the end of an interstitial has no asset left to play.
        if list.assets.isEmpty, !subject.isNearlyOver {
            self.found(
                .assetListEmpty,
                url: url,
                expected: "at least one asset",
                observed: "ASSETS is empty",
                viewer,
                breakSlot: slot
            )
        }
        if !list.assets.isEmpty, list.assets.allSatisfy(\.uri.namesSlate) {
            self.foundSlate(url: url, observed: "\(list.assets.count) assets, all of slate", viewer, slot: slot)
        }
    }

    func foundNoList(_ error: AssetListError, url: String, _ viewer: ViewerSlot, slot: Int32) {
        let lacksDuration = error == .badDuration
        self.found(
            lacksDuration ? .assetDurationMissing : .assetListInvalid,
            url: url,
            expected: lacksDuration ? "a DURATION that is a number of seconds for each asset" : "a JSON asset list",
            observed: error.rawValue,
            viewer,
            breakSlot: slot
        )
    }

    /// What the playlist of an asset is found to be.
    func inspect(
        _ pod: LoadedPod,
        of asset: AssetState?,
        _ subject: EventSubject,
        url: String,
        _ viewer: ViewerSlot,
        slot: Int32
    ) {
        guard pod.content.segmentCount > 0 else {
            self.found(
                .emptyPod,
                url: url,
                expected: "at least one segment",
                observed: "an asset without segments",
                viewer,
                breakSlot: slot
            )
            return
        }
        let isWhole = !subject.isAssetList
        // Of what may differ from viewer to viewer, another viewer's rendition is no measure.
        let name = subject.isSameForAll ? asset.map { SharedName.hash(of: $0.uri, own: nil).shortHex } : nil
        self.inspect(pod.playlist, pod: name, url: url, viewer, slot: slot, isWhole: isWhole)
        guard subject.isAssetList, let listed = asset?.listedDuration else { return }
        let milliseconds = listed.nanosecondsHeld / 1_000_000
        let content = pod.content.durationMicroseconds / 1_000
        let tolerance = self.plan.pods.durationTolerance.nanosecondsHeld / 1_000_000
        guard (content &- milliseconds).magnitude > UInt64(max(tolerance, 0)) else { return }
        self.found(
            .assetDurationWrong,
            url: url,
            expected: "\(milliseconds) ms, as the asset list says",
            observed: "\(content) ms, the sum of EXTINF",
            viewer,
            breakSlot: slot
        )
    }
}

extension ViewerMachine {
    /// The asset that a request of an interstitial is for; nil where that is over.
    func asset(ofSerial serial: UInt16, index: UInt8) -> AssetState? {
        guard self.events.isInUse, let place = self.events.state.index(ofSerial: serial),
            self.events.state.entries[place].assets.indices.contains(Int(index))
        else { return nil }
        return self.events.state.entries[place].assets[Int(index)]
    }
}
