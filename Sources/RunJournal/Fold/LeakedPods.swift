import Recording

/// Viewers of a break whose pods carried another's session: these are held against nobody's.
struct LeakedPods {
    private(set) var manifests = ViewerSet()
    private(set) var renditions = ViewerSet()

    mutating func add(_ viewers: ViewerSet, isManifest: Bool) {
        if isManifest { manifests.formUnion(viewers) } else { renditions.formUnion(viewers) }
    }
}
