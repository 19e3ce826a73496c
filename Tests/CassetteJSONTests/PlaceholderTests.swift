import Testing

@Test func `the target links`() {}
