import Recording

/// Viewers of a break whose pods carried another viewer's session; these pods are not compared.
struct LeakedPods {
    private(set) var manifests = ViewerSet()
    private(set) var renditions = ViewerSet()

    mutating func add(_ viewers: ViewerSet, isManifest: Bool) {
        if isManifest { manifests.formUnion(viewers) } else { renditions.formUnion(viewers) }
    }
}
