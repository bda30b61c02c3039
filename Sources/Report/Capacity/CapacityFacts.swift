import Results
import Rules
import Values

/// Facts on a capacity search besides its answer, shared by pages and terminal text.
struct CapacityFacts {
    let document: CapacityDocument

    var word: String {
        switch (document.state, document.answer.kind) {
        case (.interrupted, _), (.running, _): "So far"
        case (.ended, .found): "Found"
        case (.ended, .wide): "Less certain than asked"
        case (.ended, .atLeast): document.asked.quantity.isHarderWithMore ? "At least" : "At most"
        case (.ended, .below): "Not even that"
        case (.ended, .unknown): "Unknown"
        }
    }

    /// The answer as a figure; empty without one.
    var big: String {
        guard let value = document.answer.value else { return "" }
        let isViewers = document.asked.quantity.isHarderWithMore
        let sign =
            switch document.answer.kind {
            case .atLeast: isViewers ? "≥ " : "≤ "
            case .below: isViewers ? "< " : "> "
            case .found, .wide, .unknown: ""
            }
        return sign + Self.count(value) + (isViewers ? "" : " ms")
    }

    /// Viewers or milliseconds.
    func size(of judged: JudgedBreak, in run: CapacityRunResult) -> Double {
        document.asked.quantity == .viewers ? Double(judged.planned) : run.sizes.first ?? 0
    }

    var knee: String? {
        document.knee.map { knee in
            let time = MetricText.time(microseconds: knee.p99Microseconds)
            return "\(knee.kind) slows down from about \(Self.count(knee.viewers)) viewers on (p99 \(time))."
        }
    }

    var peak: String? {
        document.peak.map { peak in
            "Peak with \(Self.count(Double(peak.viewers))) viewers, in one second: "
                + "\(Self.count(peak.podRequestsPerSecond)) requests for pods, "
                + "\(Self.count(peak.requestsPerSecond)) of all kinds."
        }
    }

    var law: String? {
        guard let law = document.law else { return nil }
        guard let viewers = law.peakViewers, let rate = law.peakPerSecond else {
            return
                "Served viewers a second still grow with the audience, as far as was measured (universal scalability law)."
        }
        return
            "Served fastest at about \(Self.count(viewers.value)) viewers (\(Self.ends(viewers))): "
            + "\(Self.count(rate.value)) a second (\(Self.ends(rate))); beyond that more viewers make it slower "
            + "(universal scalability law)."
    }

    var projection: String? {
        document.projection.map { projection in
            "Projection, not measured: \(Self.count(projection.viewers)) viewers would be served at "
                + "\(Self.count(projection.servedPerSecond.value)) a second (\(Self.ends(projection.servedPerSecond)))."
        }
    }

    static func count(_ value: Double) -> String { GroupedDigits.text(rounding: value) }

    private static func ends(_ figure: LawResult.Figure) -> String {
        figure.upper.map { "\(count(figure.lower)) to \(count($0))" } ?? "\(count(figure.lower)) or more"
    }
}
