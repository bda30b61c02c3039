import Origin
package import Profile
import Rules
import Transport
import Values
import Viewer

/// Bill of a plan, counted in a virtual run against the reference origin.
///
/// Assumes that each request is sent at its planned instant, and each answer arrives in full.
package struct BilledRun {
    /// Above it only some viewers are counted, so that a bill takes about a second.
    package var requestLimit = 25_000
    private let plan: LoadPlan

    package init(_ plan: LoadPlan) { self.plan = plan }

    /// Bounds of the pilot run.
    private static let (leastGlance, longestGlance) = (Duration.seconds(30), Duration.seconds(120))

    /// A defect of podswarm.
    package struct Defect: Error {
        package let reason: String
    }

    /// `origin` makes a fresh origin for each of two runs; throws its errors, and `Defect`.
    package func bill(before origin: () throws -> VirtualOrigin) async throws -> RunBill {
        let first = try origin()
        let viewerPlan = ViewerPlan(plan, endpoints: first.endpoints, timebase: first.timebase)
        let schedule = AudienceSchedule(plan, runStart: first.timebase.wallStart)
        let sample = ViewerSample(of: schedule.visits) { viewerPlan.personaIndex(ofViewer: $0) }
        // A pilot run of a few viewers tells how many fit the limit.
        let glance = min(plan.duration, max(Self.leastGlance, min(plan.duration / 4, Self.longestGlance)))
        let few = sample.sized(share: 0).joiningAtOnce
        let asked = try await count(few, for: glance, viewerPlan, first)
        let requests =
            Double(asked.total.count) / few.viewerSeconds(of: glance)
            * sample.sized(share: 1).viewerSeconds(of: plan.duration)
        let share = Double(requestLimit) / max(requests, 1)
        var bill = try await count(sample.sized(share: share), for: plan.duration, viewerPlan, origin())
        bill.planned = schedule.visits.count
        bill.course = plan.audience.curve == nil ? nil : schedule.course(over: plan.duration)
        return bill
    }

    private func count(
        _ sample: ViewerSample,
        for duration: Duration,
        _ viewerPlan: ViewerPlan,
        _ origin: VirtualOrigin
    ) async throws -> RunBill {
        var virtual = plan
        virtual.duration = duration
        virtual.connection.acceptsCompression = false
        let ledger = BillLedger(of: sample, viewerPlan)
        let swarm = try await SwarmRun(
            virtual,
            endpoints: origin.endpoints,
            authorisedHosts: AuthorisedHosts(),
            timebase: origin.timebase,
            place: origin.place(billedBy: ledger),
            visits: sample.counted.sorted { ($0.joinsAt, $0.number) < ($1.joinsAt, $1.number) },
            observer: ledger
        )
        await swarm.sleep(until: swarm.now.later(by: duration))
        await swarm.stop()
        var bill = ledger.bill()
        let pulse = await swarm.pulse()
        bill.unaccounted = pulse.requestsInFlight + pulse.viewersByPhase.reduce(0, +) - pulse.viewers(.gone)
        await swarm.shutDown()
        if let reason = pulse.harnessFailure { throw Defect(reason: reason) }
        return bill
    }
}

/// Counts requests, and repeats none whose answer is known.
final class BilledOrigin: VirtualTarget {
    /// More than any channel has segments at one time.
    private static let keptSizes = 4_096

    private let origin: OriginTarget
    private let ledger: BillLedger
    /// Keyed by URL, for bodies that never change.
    private var sizes: [String: Int] = [:]
    /// Keyed by URL, valid until the live edge moves.
    private var playlists: [String: VirtualAnswer] = [:]
    private var edge: WallTime?

    init(_ origin: OriginTarget, _ ledger: BillLedger) { (self.origin, self.ledger) = (origin, ledger) }

    func answer(_ request: VirtualRequest, at now: WallTime) -> VirtualAnswer {
        let fetched = fetch(request, at: now)
        ledger.asked(request, bytes: fetched.bodyBytes, at: now)
        return fetched
    }

    func closed(_ connection: VirtualConnection) { origin.closed(connection) }

    private func fetch(_ asked: VirtualRequest, at now: WallTime) -> VirtualAnswer {
        let url = asked.request.url
        if let size = sizes[url] {
            var known = VirtualAnswer(url: url, releasedAt: now)
            (known.status, known.bodyBytes) = (204, size)
            return known
        }
        if asked.role == .playlist, let known = knownPlaylist(url, at: now) { return known }
        var fetched = origin.answer(asked, at: now)
        // Another host is assumed to accept every request and to answer with nothing.
        if fetched.failure == .unauthorisedHost || fetched.failure == .connectRefused {
            (fetched.failure, fetched.status, fetched.body, fetched.isImmutable) = (nil, 204, nil, false)
        }
        keep(fetched, asked, url, at: now)
        return fetched
    }

    private func knownPlaylist(_ url: String, at now: WallTime) -> VirtualAnswer? {
        let edge = origin.liveEdge(at: now)
        if edge != self.edge {
            playlists.removeAll(keepingCapacity: true)
            self.edge = edge
        }
        guard var known = playlists[url] else { return nil }
        known.releasedAt = now
        return known
    }

    private func keep(_ fetched: VirtualAnswer, _ asked: VirtualRequest, _ url: String, at now: WallTime) {
        guard (200..<300).contains(fetched.status), fetched.redirects == 0, fetched.releasedAt == now else { return }
        if asked.role == .playlist {
            playlists.keep(fetched, for: url, atMost: Self.keptSizes)
        } else if !asked.role.traits.contains(.keepsBody), fetched.isImmutable {
            sizes.keep(fetched.bodyBytes, for: url, atMost: Self.keptSizes)
        }
    }
}
