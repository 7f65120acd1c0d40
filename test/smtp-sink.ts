import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type SunkMessage = { messageId: string; from: string; to: string[]; raw: Buffer }

/**
 * Starts a real SMTP server that keeps its messages. While `holding`, it receives messages and never answers. While
 * `refusing`, it refuses them temporarily. It answers `answerAfterMs` after a message arrives. `refused…@` does not
 * exist.
 */
export async function startSink(port = 0) {
  const messages: SunkMessage[] = []
  const state = { holding: false, held: 0, refusing: false, answerAfterMs: 0 }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: 40 * 1024 * 1024,
    // Does not wait for clients that keep idle connections.
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      if (state.refusing) return done(Object.assign(new Error('4.3.2 not now'), { responseCode: 451 }))
      if (!address.startsWith('refused')) return done()
      done(Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (state.holding) {
          state.held++
          return
        }
        const raw = Buffer.concat(chunks)
        const messageId = /^message-id: (<[^>]+>)/im.exec(raw.subarray(0, 8192).toString('latin1'))?.[1] ?? ''
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
        messages.push({ messageId, from, to: session.envelope.rcptTo.map((recipient) => recipient.address), raw })
        setTimeout(done, state.answerAfterMs)
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    messages,
    state,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
