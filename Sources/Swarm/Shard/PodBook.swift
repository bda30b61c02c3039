import AdServing
import HLS

/// What the viewers of one loop asked for and got lately, as far as the next answer is to be held against it.
///
/// Confined to its loop. Bounded: what finds no room makes it forget all, so that a finding may be missed and none made up.
final class PodBook {
    private static let keptIdentifiers = 256
    private static let keptURLs = 1_024
    private static let keptSummaries = 64

    /// Where a break lies, by the pod identifier that it was first asked for by.
    private var starts: [String: WallTime] = [:]
    /// When a URL was first answered with success, by its name that is the same for all viewers.
    private var foundAt: [UInt64: Int64] = [:]
    /// The URLs that were not found.
    private var missing: Set<UInt64> = []
    /// What pods hold, by the fingerprint of the body: most viewers get the same.
    private var summaries: [UInt64: String] = [:]

    func summary(of fingerprint: UInt64, make: () -> String) -> String {
        if let known = self.summaries[fingerprint] { return known }
        if self.summaries.count >= Self.keptSummaries {
            self.summaries.removeAll()
        }
        let made = make()
        self.summaries[fingerprint] = made
        return made
    }

    func asked(_ identifier: String, start: WallTime) {
        guard self.starts[identifier] == nil else { return }
        if self.starts.count >= Self.keptIdentifiers {
            self.starts.removeAll()
        }
        self.starts[identifier] = start
    }

    /// Whether an identifier is that of a break before this instant.
    func isEarlier(_ identifier: String, than start: WallTime) -> Bool {
        self.starts[identifier].map { $0 < start } ?? false
    }

    /// Remembers a URL that was answered; true where it was not found before.
    func found(_ name: UInt64, at instant: Int64) -> Bool {
        if self.foundAt[name] == nil {
            if self.foundAt.count >= Self.keptURLs {
                self.foundAt.removeAll()
            }
            self.foundAt[name] = instant
        }
        return self.missing.contains(name)
    }

    func notFound(_ name: UInt64) {
        if self.missing.count >= Self.keptURLs {
            self.missing.removeAll()
        }
        self.missing.insert(name)
    }

    /// When a URL was first answered with success; nil where it never was.
    func firstFound(_ name: UInt64) -> Int64? { self.foundAt[name] }
}

/// A URL less what is a viewer's own, so that the requests of all viewers for one thing have one name.
enum SharedName {
    /// Parameters that tell viewers apart: sessions, tokens, and where in an interstitial a viewer begins.
    private static let ownParameters: Set<Substring> = [
        "stream_id", "auth-token", "_HLS_primary_id", "_HLS_start_offset", "session", "sessionId", "aws.sessionId",
        "sid", "token", "cust_params",
    ]

    static func hash(of url: String, own: StreamID?) -> UInt64 {
        let whole = url.prefix { $0 != "#" }
        var text: String
        if let question = whole.firstIndex(of: "?") {
            text = String(whole[..<question])
            for pair in whole[whole.index(after: question)...].split(separator: "&")
            where !self.ownParameters.contains(pair.prefix { $0 != "=" }) {
                text += "&" + pair
            }
        } else {
            text = String(whole)
        }
        return text.withUTF8 { MaskedBody.fingerprint(UnsafeRawBufferPointer($0), own: own ?? StreamID("")).hash }
    }
}
