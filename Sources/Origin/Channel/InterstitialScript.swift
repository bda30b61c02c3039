import AdServing
import HLS

/// One line of a channel's script: an interstitial that is scheduled again and again, and how its tag says so.
///
/// Attributes that are nil are left out of the tag (bis-22 appendix D).
struct InterstitialScript: Sendable, Equatable {
    /// How the tag names its content.
    enum Delivery: String, CaseIterable, Sendable {
        /// X-ASSET-LIST.
        case list
        /// X-ASSET-URI, of a single asset.
        case uri
    }

    /// Which attribute tells the length.
    enum LengthAttribute: String, CaseIterable, Sendable {
        case duration
        case planned
        case none
    }

    /// How X-ASSET-LIST spells its URI; X-ASSET-URI is absolute always (bis-22 D.2).
    enum ReferenceForm: String, CaseIterable, Sendable {
        case relative
        case absolute
    }

    /// Where ad creative signalling stands (SVTA 2053-2).
    enum SignallingPlace: String, CaseIterable, Sendable {
        case list
        case tag
    }

    enum Restriction: String, CaseIterable, Sendable {
        case skip
        case jump
    }

    enum Snap: String, CaseIterable, Sendable {
        case out
        case `in`
    }

    enum CueWord: String, CaseIterable, Sendable {
        case pre
        case post
        case once
    }

    enum Occupies: String, CaseIterable, Sendable {
        case point
        case range
    }

    enum Style: String, CaseIterable, Sendable {
        case highlight
        case primary
    }

    /// An X-PLAYOUT-LIMIT that a later version of the playlist adds.
    struct EarlyReturn: Sendable, Equatable {
        var after = Duration.zero
        /// nil: as `after`.
        var ownLimit: Duration?
        var limit: Duration { ownLimit ?? after }
    }

    /// When and how a player offers to skip (bis-22 D.3), in whole seconds.
    struct SkipControl: Sendable, Equatable {
        var offset = 0
        var duration: Int?
        var label: String?
        /// In the asset list it overrides the tag.
        var place = SignallingPlace.tag
        var inList: Bool { place == .list }
    }

    /// A com.apple.hls.preload range that ends at the interstitial's start (bis-22 appendix F).
    struct Preload: Sendable, Equatable {
        enum Order: String, CaseIterable, Sendable {
            case before
            case after
        }

        var length = Duration.zero
        var order = Order.before
        var ahead = Duration.zero
    }

    var id: IdentifierTemplate
    /// Nil for an interstitial that is listed always, as a pre-roll is.
    var schedule: BreakSchedule?
    /// Lengths of the assets, in order; never empty.
    var assets: [Duration]
    var delivery = Delivery.list
    var lengthAttribute = LengthAttribute.duration
    var listReference = ReferenceForm.relative
    var resumeOffset: Duration?
    var playoutLimit: Duration?
    var earlyReturn: EarlyReturn?
    var restrict: [Restriction] = []
    var snap: [Snap] = []
    var cue: [CueWord] = []
    var contentMayVary: Bool?
    var timelineOccupies: Occupies?
    var timelineStyle: Style?
    var skipControl: SkipControl?
    var preload: Preload?
    var announce: Duration?
    var together = 1
    var cancel: Duration?
    var hasOddities = false
    var numbersPods = false
    var signalling: [SignallingPlace] = []
    /// The payload is its one element itself, not an array with it, as some servers write it.
    var hasBareSignalling = false

    /// Length of all assets.
    var length: Duration { assets.reduce(.zero, +) }

    /// The interstitials that start in a range, without those that start together with the first.
    func occasions(in range: Range<WallTime>) -> [InterstitialOccasion] {
        guard let schedule else { return [.always] }
        return schedule.breaks(in: range).map {
            InterstitialOccasion(start: $0.start, ordinal: $0.ordinal)
        }
    }

    func identifier(_ occasion: InterstitialOccasion, place: Int) -> String {
        id.identifier(ordinal: occasion.ordinal, start: occasion.start.epochSeconds, place: place)
    }

    /// The occasion and the position that an ID names; nil when this script has no such interstitial.
    func find(_ identifier: String) -> (occasion: InterstitialOccasion, place: Int)? {
        guard let reading = id.read(identifier) else { return nil }
        let place = reading.place.map { Int(clamping: $0) } ?? 0
        guard (0..<together).contains(place), let occasion = occasion(of: reading),
            self.identifier(occasion, place: place) == identifier
        else { return nil }
        return (occasion, place)
    }

    private func occasion(of reading: IdentifierTemplate.Reading) -> InterstitialOccasion? {
        guard let schedule else { return .always }
        if let seconds = reading.startSeconds {
            guard seconds < 1 << 40 else { return nil }
            let second = WallTime(microseconds: seconds * 1_000_000)
            return occasions(in: second..<second + .seconds(1)).first
        }
        // An ID that names no occasion belongs to a script that has one.
        guard let ordinal = reading.ordinal ?? (id.namesOccasion ? nil : 1), ordinal > 0 else {
            return nil
        }
        switch schedule {
        case .every(let interval, let epoch, let offset, _):
            let step = interval.wholeMicroseconds
            let (distance, overflow) = step.multipliedReportingOverflow(by: ordinal - 1)
            guard step > 0, !overflow else { return nil }
            let start = epoch + offset + .microseconds(distance)
            return InterstitialOccasion(start: start, ordinal: Int(clamping: ordinal))
        case .list(let starts, _):
            let sorted = Set(starts).sorted()
            guard ordinal <= sorted.count else { return nil }
            return InterstitialOccasion(start: sorted[Int(ordinal) - 1], ordinal: Int(ordinal))
        }
    }
}

/// One time that a script comes to pass.
struct InterstitialOccasion: Sendable, Hashable {
    let start: WallTime
    /// Counted from 1 since the Unix epoch, or in a list; 0 where there is no schedule.
    let ordinal: Int

    /// The one occasion of an interstitial that is always listed, with the date that MediaTailor gives to pre-rolls.
    static let always = InterstitialOccasion(start: WallTime(microseconds: 0), ordinal: 0)
}
