import RunResult

extension FindingOccurrence {
    /// In which break it was seen, and in which cohort of its viewers.
    ///
    /// - Parameter name: Shows the name of a break or cohort.
    /// - Returns: Words that a line may begin with.
    func place(_ name: (String) -> String = { $0 }) -> String {
        let place = breakKey.map { "break \(name($0))" } ?? "outside any break"
        return cohort.map { "\(place), cohort \(name($0))" } ?? place
    }
}

extension FindingResult {
    /// What one of its occurrences is, to count them by.
    var kindOfPlace: String { occurrences.contains { $0.cohort != nil } ? "place" : "break" }
}
