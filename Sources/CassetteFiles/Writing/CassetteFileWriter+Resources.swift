import CassetteResources

/// Resources, as they were read.
extension CassetteFileWriter {
  mutating func write(_ resources: [ResourceDefinition]) {
    guard let first = resources.first else { return }
    key("resource")
    if resources.count == 1 { return write(first) }
    open("[")
    for resource in resources {
      next()
      write(resource)
    }
    close("]")
  }

  private mutating func write(_ resource: ResourceDefinition) { json(resource.source) }
}
