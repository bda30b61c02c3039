package import AdServing
import Values

/// Time by which assets may exceed their slot: all together, and as much again for each.
package struct AssetTolerance: Sendable {
    package let total: Duration
    package let each: Duration

    package init(total: Duration, each: Duration) { (self.total, self.each) = (total, each) }

    /// A tenth of a second, and a frame at 23.976 a second, the longest common one: ads are cut at frames.
    package static let usual = AssetTolerance(total: .milliseconds(100), each: .milliseconds(42))
}

/// Words for a tracking event that is listed twice with one address.
package enum DoubledPing {
    package static let expected = "each address once for an event of an ad or pod"
    package static func observed(_ event: String) -> String { "the same address twice for its \(event)" }
}

/// Checks an asset list alone and against its date range (bis-22 appendix D.2).
package enum AssetListChecks {
    private static let noDuration = "DURATION is left out, negative, or text without a number."
    private static let durations = "a DURATION that is a JSON number of seconds for each asset"

    /// Reports the first asset of each kind; `longest` is ``Interstitial/longestContent``.
    ///
    /// `mayBeEmpty` is for a viewer that joined at the end of the interstitial.
    package static func violations(
        of list: AssetList,
        longest: Duration?,
        mayBeEmpty: Bool = false,
        tolerance: AssetTolerance = .usual,
        slate: SlatePattern = .usual
    ) -> [Violation] {
        var found: [Violation] = []
        if let event = list.doubledEvent {
            found.append(Violation(.pingDoubled, expected: DoubledPing.expected, observed: DoubledPing.observed(event)))
        }
        let lacking = incomplete(list)
        found += lacking
        if lacking.first?.code != .assetDurationMissing, let index = list.assets.firstIndex(where: { !$0.hasNumber }) {
            let form = list.hasUnclearDuration ? "text that goes on after a number" : "a number in quotation marks"
            let observed = "DURATION of \(list.name(of: list.place(of: index))) is \(form)"
            found.append(Violation(.assetDurationMissing, expected: durations, observed: observed))
        }
        if let index = list.assets.firstIndex(where: { !$0.isAbsolute }) {
            let expected = "an absolute URI for each asset: players do not resolve another one against the list"
            let observed = "a relative URI of \(list.name(of: list.place(of: index)))"
            found.append(Violation(.assetInvalid, expected: expected, observed: observed))
        }
        let over = longest.flatMap {
            overrun(of: list.duration, assets: list.assets.count, longest: $0, tolerance: tolerance)
        }
        if let over { found.append(over) }
        if list.assets.isEmpty, !mayBeEmpty {
            found.append(Violation(.assetListEmpty, expected: "at least one asset", observed: "ASSETS is empty"))
        }
        if !list.assets.isEmpty, list.assets.allSatisfy({ slate.isSlate($0.uri) }) {
            let observed = "\(GroupedDigits.counted(list.assets.count, "asset")), all of slate"
            found.append(Violation(.slateOnly, expected: "at least one ad", observed: observed))
        }
        return found
    }

    package static func violation(of error: AdServingError, in body: UnsafeRawBufferPointer) -> Violation {
        switch error {
        case .notJSON: invalid(BodyKind.words(forNoJSON: body), BodyKind.likely(forNoJSON: body))
        case .badDuration:
            Violation(
                .assetDurationMissing,
                expected: durations,
                observed: "no asset with a DURATION that is a number of at least 0",
                likely: noDuration
            )
        case .notAnObject:
            invalid("JSON that is not an object", "The array of assets stands without ASSETS around it.")
        case .noAssets: invalid("a JSON object without an array ASSETS", "ASSETS is left out, or spelt in another way.")
        case .badAsset: invalid("no asset with a URI", uriMissing)
        case .tooManyAssets: invalid("more than \(AssetList.maximumAssets) assets")
        case .tooLarge: invalid("more than \(AssetList.maximumBytes >> 20) MiB")
        default: invalid(error.rawValue)
        }
    }

    /// Assets longer than the date range of their interstitial says.
    package static func overrun(
        of length: Duration,
        assets: Int,
        longest: Duration,
        tolerance: AssetTolerance
    ) -> Violation? {
        let over = length - longest
        guard over > tolerance.total + tolerance.each * assets else { return nil }
        let expected = "assets of \(longest.millisecondsHeld) ms, the DURATION of the date range, or X-PLAYOUT-LIMIT"
        let found = "\(length.millisecondsHeld) ms in \(GroupedDigits.counted(assets, "asset"))"
        let effect = "\(over.millisecondsHeld) ms of the programme are missed, or its viewers fall back by as much"
        // No break lasts so much longer than was planned.
        let likely = over > longest * 200 ? "DURATION of the assets is in milliseconds." : nil
        return Violation(.podOverfilled, expected: expected, observed: "\(found): \(effect)", likely: likely)
    }

    private static let uriMissing = "URI is left out, or spelt in another way."

    private static func invalid(_ observed: String, _ likely: String? = nil) -> Violation {
        Violation(.assetListInvalid, expected: "a JSON asset list", observed: observed, likely: likely)
    }

    private static func incomplete(_ list: AssetList) -> [Violation] {
        guard let incomplete = list.incomplete, let first = incomplete.places.first else { return [] }
        let name = list.name(of: first)
        let rest = "players leave it out, or refuse the list"
        guard !incomplete.lacksURI else { return [invalid("no URI or no DURATION of \(name): \(rest)", uriMissing)] }
        let observed = "no DURATION that is a number of \(name): \(rest)"
        return [Violation(.assetDurationMissing, expected: durations, observed: observed, likely: noDuration)]
    }
}

extension AssetList {
    fileprivate func name(of place: Int) -> String { "asset \(place + 1) of \(entryCount)" }
}
