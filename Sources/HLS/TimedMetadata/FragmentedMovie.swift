/// Event messages (ISO/IEC 23009-1 section 5.10.3.3) with ID3 tags (AOM, "Carriage of ID3 Timed Metadata in CMAF", section 2),
/// or a bare media id.
struct FragmentedMovie {
    private var startMicroseconds: Int64?
    private var messages: [EventMessage] = []
    private(set) var ownTimescales: [UInt32: UInt32] = [:]

    /// AOM's scheme, and Apple's older one.
    private static let tagSchemes: Set<String> = [
        "https://aomedia.org/emsg/ID3", "https://developer.apple.com/streaming/emsg-id3",
    ]
    /// Ad Manager's bare ids.
    private static let textScheme = "urn:google:dai:2018"

    init(_ octets: Octets, timescales: [UInt32: UInt32]) {
        Self.forEachBox(in: octets) { name, content in
            switch name {
            case 0x6D6F_6F76: readTimescales(content)
            case 0x656D_7367: if let message = EventMessage(content) { messages.append(message) }
            case 0x6D6F_6F66 where startMicroseconds == nil:
                startMicroseconds = Self.start(of: content, ownTimescales.isEmpty ? timescales : ownTimescales)
            default: break
            }
        }
    }

    var texts: [TimedText] {
        messages.flatMap { message -> [TimedText] in
            let texts: [String]
            if Self.tagSchemes.contains(message.scheme) {
                texts = message.data.withUnsafeBytes { ID3Tag.all(in: Octets($0)).flatMap(\.userTexts) }
            } else if message.scheme == Self.textScheme {
                texts = [String(decoding: message.data.prefix { $0 != 0 }, as: UTF8.self)].filter { !$0.isEmpty }
            } else {
                texts = []
            }
            let offset = message.offset(from: startMicroseconds)
            return texts.map { TimedText(text: $0, offsetMicroseconds: offset) }
        }
    }

    private static func forEachBox(in octets: Octets, _ body: (UInt32, Octets) -> Void) {
        var place = 0
        while let short: UInt32 = octets.integer(at: place), let name: UInt32 = octets.integer(at: place + 4) {
            var (size, header) = (Int(short), 8)
            if short == 1 {
                guard let long: UInt64 = octets.integer(at: place + 8) else { return }
                (size, header) = (Int(clamping: long), 16)
            } else if short == 0 {
                size = octets.count - place
            }
            guard size >= header, size <= octets.count - place else { return }
            body(name, octets[place + header..<place + size])
            place += size
        }
    }

    /// The last one of the name.
    private static func box(_ wanted: UInt32, in octets: Octets) -> Octets? {
        var found: Octets?
        forEachBox(in: octets) { name, content in if name == wanted { found = content } }
        return found
    }

    private mutating func readTimescales(_ movie: Octets) {
        var found: [UInt32: UInt32] = [:]
        Self.forEachBox(in: movie) { name, track in
            guard name == 0x7472_616B, found.count < 64, let head = Self.box(0x746B_6864, in: track),
                let media = Self.box(0x6D64_6961, in: track), let header = Self.box(0x6D64_6864, in: media),
                let identifier: UInt32 = head.integer(at: head[0] == 1 ? 20 : 12),
                let timescale: UInt32 = header.integer(at: header[0] == 1 ? 20 : 12), timescale > 0
            else { return }
            found[identifier] = timescale
        }
        ownTimescales = found
    }

    /// The decode time nearly always equals the presentation time of the first frame.
    private static func start(of fragment: Octets, _ timescales: [UInt32: UInt32]) -> Int64? {
        var start: Int64?
        forEachBox(in: fragment) { name, track in
            guard name == 0x7472_6166, let head = box(0x7466_6864, in: track), let begin = box(0x7466_6474, in: track),
                let timescale = head.integer(at: 4).flatMap({ (track: UInt32) in timescales[track] })
            else { return }
            let short = begin.integer(at: 4).map { (time: UInt32) in UInt64(time) }
            guard let time = begin[0] == 1 ? begin.integer(at: 4) : short else { return }
            let begins = EventMessage.microseconds(time, timescale)
            start = min(start ?? begins, begins)
        }
        return start
    }
}

private struct EventMessage {
    let scheme: String
    let data: [UInt8]
    /// From the segment's beginning in version 0, from the presentation's in version 1.
    private let microseconds: Int64
    private let isFromSegment: Bool

    /// In version 0, the numbers follow the texts, and the time has half as many bytes.
    init?(_ box: Octets) {
        guard let version = box[0], version < 2, let scheme = box.terminatedText(at: version == 0 ? 4 : 24),
            let value = box.terminatedText(at: scheme.end)
        else { return nil }
        let (place, end) = version == 0 ? (value.end, value.end + 16) : (4, value.end)
        let short = box.integer(at: place + 4).map { (delta: UInt32) in UInt64(delta) }
        guard let timescale: UInt32 = box.integer(at: place), timescale > 0, box.count >= end,
            let time = version == 0 ? short : box.integer(at: place + 4)
        else { return nil }
        (self.scheme, isFromSegment) = (scheme.text, version == 0)
        microseconds = Self.microseconds(time, timescale)
        data = Array(box.dropFirst(end).bytes)
    }

    func offset(from start: Int64?) -> Int64? { isFromSegment ? microseconds : start.map { microseconds &- $0 } }

    static func microseconds(_ ticks: UInt64, _ timescale: UInt32) -> Int64 {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: UInt64(timescale))
        // Limited against overflow.
        let held = Int64(min(seconds, 1 << 35))
        return held * 1_000_000 + Int64(rest * 1_000_000 / UInt64(timescale))
    }
}
