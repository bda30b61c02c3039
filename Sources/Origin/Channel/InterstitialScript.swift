import AdServing
import HLS
import Values

/// Nil attributes are omitted (bis-22 appendix D).
struct InterstitialScript: Sendable, Equatable {
    enum Delivery: String, CaseIterable, Sendable {
        case list
        /// X-ASSET-URI.
        case uri
    }

    enum LengthAttribute: String, CaseIterable, Sendable {
        case duration
        case planned
        case none
    }

    /// For X-ASSET-LIST; X-ASSET-URI is always absolute (bis-22 D.2).
    enum ReferenceForm: String, CaseIterable, Sendable {
        case relative
        case absolute
    }

    /// Place of ad creative signaling (SVTA 2053-2).
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

    /// X-PLAYOUT-LIMIT in a later version of the playlist.
    struct EarlyReturn: Sendable, Equatable {
        var after = Duration.zero
        /// Nil for `after`.
        var ownLimit: Duration?
        var limit: Duration { ownLimit ?? after }
    }

    /// A player's skip button (bis-22 D.3), in whole seconds.
    struct SkipControl: Sendable, Equatable {
        var offset = 0
        var duration: Int?
        var label: String?
        /// The asset list overrides the tag.
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
    /// Nil for one that is always listed, such as a pre-roll.
    var schedule: BreakSchedule?
    /// In order; never empty.
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
    /// A single element, not an array, as some servers write it.
    var hasBareSignalling = false

    var length: Duration { assets.reduce(.zero, +) }

    /// Interstitials that start together share an occasion.
    func occasions(in range: Range<WallTime>) -> [InterstitialOccasion] {
        guard let schedule else { return [.always] }
        return schedule.breaks(in: range).map(InterstitialOccasion.init)
    }

    func identifier(_ occasion: InterstitialOccasion, place: Int) -> String {
        id.identifier(ordinal: occasion.ordinal, start: occasion.start.epochSeconds, place: place)
    }

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
        // Without an occasion in its IDs, a script has a single one.
        guard let ordinal = reading.ordinal ?? (id.namesOccasion ? nil : 1) else { return nil }
        return schedule.scheduled(ordinal: Int(clamping: ordinal)).map(InterstitialOccasion.init)
    }
}

struct InterstitialOccasion: Sendable, Hashable {
    let start: WallTime
    /// From 1 since the Unix epoch, or in a list; 0 without a schedule.
    let ordinal: Int

    /// Always listed, with MediaTailor's date of pre-rolls.
    static let always = InterstitialOccasion(start: WallTime(microseconds: 0), ordinal: 0)
}

extension InterstitialOccasion {
    init(_ scheduled: ScheduledBreak) { self.init(start: scheduled.start, ordinal: scheduled.ordinal) }
}

/// `{n}` is the ordinal since the Unix epoch, `{start}` the start in seconds since then, `{i}` the place among equal starts.
///
/// An ID that names the occasion is never used twice (bis-22 4.4.5.1).
struct IdentifierTemplate: Sendable, Equatable {
    private enum Piece: Sendable, Equatable {
        case literal(String)
        case ordinal
        case start
        case place
    }

    struct Reading: Equatable {
        var ordinal: Int64?
        var startSeconds: Int64?
        var place: Int64?
    }

    let text: String
    private let pieces: [Piece]

    static let usual = IdentifierTemplate(text: "{start}", pieces: [.start])

    private init(text: String, pieces: [Piece]) { (self.text, self.pieces) = (text, pieces) }

    /// Nil for an unknown placeholder, or for characters that a path must escape.
    init?(_ text: String) {
        self.text = text
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            if open > rest.startIndex { pieces.append(.literal(String(rest[..<open]))) }
            switch rest[rest.index(after: open)..<close] {
            case "n": pieces.append(.ordinal)
            case "start": pieces.append(.start)
            case "i": pieces.append(.place)
            default: return nil
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        let isPlain = pieces.allSatisfy { piece in
            guard case .literal(let text) = piece else { return true }
            return text.utf8.allSatisfy(\.isUnreserved)
        }
        guard isPlain, !pieces.isEmpty, text.utf8.count <= 128 else { return nil }
        self.pieces = pieces
    }

    var namesOccasion: Bool { pieces.contains(.ordinal) || pieces.contains(.start) }

    var namesPlace: Bool { pieces.contains(.place) }

    func identifier(ordinal: Int, start: Int64, place: Int) -> String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .ordinal: String(ordinal)
            case .start: String(start)
            case .place: String(place)
            }
        }.joined()
    }

    /// A number takes all digits, so the caller must make the ID again and compare.
    func read(_ identifier: some StringProtocol) -> Reading? {
        var reading = Reading()
        var rest = Array(identifier.utf8)[...]
        for piece in pieces {
            if case .literal(let text) = piece {
                guard rest.starts(with: text.utf8) else { return nil }
                rest = rest.dropFirst(text.utf8.count)
                continue
            }
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
            rest = rest.dropFirst(digits.count)
            switch piece {
            case .ordinal: reading.ordinal = number
            case .start: reading.startSeconds = number
            default: reading.place = number
            }
        }
        return rest.isEmpty ? reading : nil
    }
}
