import AdServing
import HLS

struct FaultChooser: Sendable {
    let plan: FaultPlan
    let ledger: TruthLedger
    let sessions: SessionRegistry
    let interstitials: InterstitialService
    let stitched: StitchedSchedule?
    let zone: BreakZone?
    let started: WallTime
    let targetDuration: Duration

    func choose(for exchange: inout Exchange) {
        guard let kind = exchange.kind else { return }
        let maySign = plan.mayKeepSignature(of: kind)
        guard maySign || plan.mayTouch(kind) else { return }
        let place = place(of: exchange.route) ?? zone?.place(at: exchange.now)
        var occasion = FaultOccasion(
            kind: kind,
            now: exchange.now,
            elapsed: .microseconds(exchange.now.microseconds - started.microseconds),
            breakNumber: place?.number ?? 0,
            breakStart: place?.start ?? started,
            viewer: exchange.viewerHash,
            repetition: exchange.repetition,
            targetDuration: targetDuration
        )
        if case .interstitial(let route) = exchange.route { occasion.asset = route.place }
        occasion.target = exchange.target
        occasion.edge = exchange.edge
        if maySign, plan.keepsSignature(on: occasion) { exchange.signedAt = occasion.breakStart }
        if plan.needsNeighbour { occasion.neighbour = sessions.neighbour(ofViewer: exchange.viewerHash) }
        exchange.effects = plan.effects(on: occasion)
        guard let effects = exchange.effects else { return }
        exchange.occasion = occasion
        guard !effects.faults.isEmpty else { return }
        ledger.faulted(kind, by: effects.faults, viewer: exchange.viewerHash, breakNumber: occasion.breakNumber)
    }

    func change(_ edit: inout AnswerEdit, _ exchange: Exchange) {
        guard let effects = exchange.effects, let occasion = exchange.occasion else { return }
        for place in effects.edits {
            if plan.faults[place].isOfStitchedAds(in: occasion.kind) {
                changeStitchedAds(place, &edit, occasion)
            } else {
                plan.faults[place].kind.edit?(&edit, plan.faults[place], occasion)
                announce(place, &edit, exchange)
            }
        }
    }

    private func changeStitchedAds(_ place: Int, _ edit: inout AnswerEdit, _ occasion: FaultOccasion) {
        guard let change = plan.faults[place].kind.stitchedAddress, let stitched else { return }
        var occasion = occasion
        // A held request may have arrived before the neighbour did.
        occasion.neighbour = sessions.neighbour(ofViewer: occasion.viewer)
        // Listed addresses stay unchanged, so breaks from before the neighbour's session are left alone.
        let earliest = occasion.neighbour.flatMap(sessions.start(of:))
        var touched: [Int: Bool] = [:]
        edit.changeAddresses { address in
            guard let start = StitchedAd.breakStart(in: address),
                let number = stitched.number(ofBreakAt: start, since: started)
            else { return address }
            let isTouched =
                touched[number]
                ?? (earliest.map { $0.epochSeconds < start } ?? false
                    && plan.touches(place, occasion.viewer, ofBreak: number, occasion.kind))
            touched[number] = isTouched
            return isTouched ? change(address, occasion) : address
        }
        for number in touched.filter(\.value).keys.sorted() {
            ledger.faulted(occasion.kind, by: [place], viewer: occasion.viewer, breakNumber: number)
        }
    }

    private func announce(_ place: Int, _ edit: inout AnswerEdit, _ exchange: Exchange) {
        guard let change = plan.faults[place].kind.announcement, let kind = exchange.kind else { return }
        let mark = "#EXT-X-DATERANGE:ID=\""
        for line in edit.lines.indices where edit.lines[line].hasPrefix(mark) {
            let identifier = edit.lines[line].dropFirst(mark.count).prefix { $0 != "\"" }
            guard let number = self.place(ofInterstitial: String(identifier))?.number,
                plan.touches(place, exchange.viewerHash, ofBreak: number, kind)
            else { continue }
            let before = edit.lines[line]
            change(&edit.lines[line])
            guard edit.lines[line] != before else { continue }
            ledger.faulted(kind, by: [place], viewer: exchange.viewerHash, breakNumber: number)
        }
    }

    /// The break that the request names, not the nearest.
    private func place(of route: Route) -> BreakZone.Place? {
        guard case .interstitial(let route) = route else { return nil }
        return place(ofInterstitial: route.identifier)
    }

    private func place(ofInterstitial identifier: String) -> BreakZone.Place? {
        guard let found = interstitials.find(identifier) else { return nil }
        let first = found.script.schedule?.next(after: started)?.ordinal ?? found.occasion.ordinal
        return BreakZone.Place(start: found.occasion.start, number: found.occasion.ordinal - first + 1)
    }
}

/// Assigns an instant to the break with the nearest start.
struct BreakZone: Sendable {
    struct Place: Sendable, Equatable {
        let start: WallTime
        /// 1 for the first break after the origin's start; earlier ones are below 1.
        let number: Int
        var key: String { start.iso8601 }
    }

    private let schedule: BreakSchedule
    private let halfInterval: Duration
    private let first: Int

    /// Nil for a channel without breaks.
    init?(_ configuration: OriginConfiguration, started: WallTime) {
        guard let schedule = configuration.breakSchedule else { return nil }
        self.schedule = schedule
        halfInterval = .microseconds(configuration.breakInterval.wholeMicroseconds / 2)
        first = schedule.next(after: started - .microseconds(1))?.ordinal ?? 1
    }

    func place(at now: WallTime) -> Place? {
        schedule.latest(startingBy: now + halfInterval).map { Place(start: $0.start, number: $0.ordinal - first + 1) }
    }
}
