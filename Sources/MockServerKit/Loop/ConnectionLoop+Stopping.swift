internal import MockServerSockets

/// Stopping a loop: requests in flight are finished within the time limit.
extension ConnectionLoop {
  func stop(by time: UInt64) {
    stopsAt = time
    responder.isStopping = true
    stopAccepting()
    for client in clients {
      guard let client, client.isIdle || [.silent, .shaking, .choosing, .switched].contains(client.stage) else {
        continue
      }
      close(client)
    }
    if count == 0 { end() } else { schedule(time) }
  }

  func end() {
    for client in clients { if let client { closeAtEnd(client) } }
    upstream.closeAll()
    loop.stop()
  }

  private func closeAtEnd(_ client: Client) {
    clients[Int(client.descriptor)] = nil
    abandonAnswers(of: client)
    client.secure?.end()
    if client.isWatched { loop.close(client.descriptor) } else { Platform.close(client.descriptor) }
  }
}
