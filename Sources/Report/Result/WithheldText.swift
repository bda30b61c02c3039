package struct WithheldText {
    /// Such as "2 pings, 1 segment of ads"; nil if nothing was withheld.
    package let list: String?

    package init(pings: some BinaryInteger, beacons: some BinaryInteger, adSegments: some BinaryInteger) {
        let parts = [
            pings > 0 ? TextLayout.counted(pings, "ping") : nil,
            beacons > 0 ? TextLayout.counted(beacons, "beacon") : nil,
            adSegments > 0 ? TextLayout.counted(adSegments, "segment") + " of ads" : nil,
        ]
        let said = parts.compactMap { $0 }
        list = said.isEmpty ? nil : said.joined(separator: ", ")
    }
}
