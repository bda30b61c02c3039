import Origin
import Rules
import Transport
import Values
import Viewer

/// The reference origin for a bill: counts requests, and repeats none whose answer is known.
final class BilledOrigin: VirtualTarget {
    /// More sizes than any channel has segments at one time.
    private static let keptSizes = 4_096

    private let origin: OriginTarget
    private let ledger: BillLedger
    /// Sizes of bodies that never change and whose content is not read, by URL.
    private var sizes: [String: Int] = [:]
    /// Playlists of the channel by URL, valid until the live edge moves: all viewers get the same.
    private var playlists: [String: OriginTarget.Fetched] = [:]
    private var edge: WallTime?

    init(_ origin: OriginTarget, _ ledger: BillLedger) { (self.origin, self.ledger) = (origin, ledger) }

    func answer(_ request: VirtualRequest, at now: WallTime) -> any VirtualAnswer {
        let fetched = fetch(request, at: now)
        ledger.asked(request, bytes: fetched.sentBodyBytes, at: now)
        return fetched
    }

    func closed(_ connection: VirtualConnection) { origin.closed(connection) }

    private func fetch(_ asked: VirtualRequest, at now: WallTime) -> OriginTarget.Fetched {
        let url = asked.request.url
        if let size = sizes[url] { return .init(answer: nil, url: url, sentBodyBytes: size, releasedAt: now) }
        if asked.role == .playlist, let known = knownPlaylist(url, at: now) { return known }
        var fetched = origin.fetch(asked, at: now)
        // Another host is assumed to accept every request and to answer with nothing.
        if fetched.failure == .unauthorisedHost || fetched.failure == .connectRefused {
            (fetched.failure, fetched.answer) = (nil, nil)
        }
        keep(fetched, asked, url, at: now)
        return fetched
    }

    private func knownPlaylist(_ url: String, at now: WallTime) -> OriginTarget.Fetched? {
        let edge = origin.liveEdge(at: now)
        if edge != self.edge {
            playlists.removeAll(keepingCapacity: true)
            self.edge = edge
        }
        guard var known = playlists[url] else { return nil }
        known.releasedAt = now
        return known
    }

    private func keep(_ fetched: OriginTarget.Fetched, _ asked: VirtualRequest, _ url: String, at now: WallTime) {
        guard (200..<300).contains(fetched.status), fetched.redirects == 0, fetched.releasedAt == now else { return }
        if asked.role == .playlist {
            playlists.keep(fetched, for: url, atMost: Self.keptSizes)
        } else if !asked.role.keepsBody, fetched.answer?.isImmutable == true {
            sizes.keep(fetched.sentBodyBytes, for: url, atMost: Self.keptSizes)
        }
    }
}
