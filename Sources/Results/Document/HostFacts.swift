/// Machine of a run; results of different machines are not comparable.
package struct HostFacts: Equatable, Codable, Sendable {
    /// Host name; nil for several machines, and in results of earlier versions.
    package var name: String?
    package var operatingSystem: String
    package var kernel: String
    package var architecture: String
    package var cpuModel: String
    package var cpuCount: Int
    package var memoryBytes: Int64
    package var descriptorLimit: Int
    /// Local ports available per source and target address.
    package var ephemeralPorts: Int
    /// Whether the target ran on this machine and competed for its cores: the embedded origin, or a loopback address.
    package var sharedWithTarget: Bool

    package init(
        name: String? = nil,
        operatingSystem: String,
        kernel: String,
        architecture: String,
        cpuModel: String,
        cpuCount: Int,
        memoryBytes: Int64,
        descriptorLimit: Int,
        ephemeralPorts: Int,
        sharedWithTarget: Bool
    ) {
        self.name = name
        self.operatingSystem = operatingSystem
        self.kernel = kernel
        self.architecture = architecture
        self.cpuModel = cpuModel
        self.cpuCount = cpuCount
        self.memoryBytes = memoryBytes
        self.descriptorLimit = descriptorLimit
        self.ephemeralPorts = ephemeralPorts
        self.sharedWithTarget = sharedWithTarget
    }
}
