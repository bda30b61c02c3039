package enum PodswarmVersion {
    package static let current = "0.1.0"
}
