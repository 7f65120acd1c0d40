import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** How the receiver treats the next messages. */
export type Behaviour =
  | 'take'
  /** Reads the whole text and closes without a reply. */
  | 'cut after the dot'
  /** Reads the whole text and never replies. */
  | 'hang after the dot'
  | 'close with 421'
  /** Sends one byte of each reply a second. */
  | 'drip'
  | 'take some recipients'
  | 'greylist'

export type Received = { messageId: string; to: string[]; answered: boolean }

/**
 * Starts an SMTP receiver on a raw socket that shows the given behaviour. `received` contains every complete text, with
 * or without a reply, since a person may have seen it.
 */
export async function startFaultyReceiver(host = '127.0.0.1', port = 0) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const state = { behaviour: 'take' as Behaviour, connections: 0 }
  const server = createServer((socket) => {
    state.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    converse(socket, () => state.behaviour, received)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    host,
    port: (server.address() as AddressInfo).port,
    state,
    received,
    /** The number of connections that are open. */
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function converse(socket: Socket, behaviour: () => Behaviour, received: Received[]): void {
  let pending = ''
  let to: string[] = []
  let inText = false
  const say = (line: string) => {
    if (behaviour() === 'drip') drip(socket, `${line}\r\n`)
    else socket.write(`${line}\r\n`)
  }
  say('220 receiver.test ESMTP')
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    pending += chunk
    for (;;) {
      const terminator = inText ? '\r\n.\r\n' : '\r\n'
      const end = pending.indexOf(terminator)
      if (end === -1) return
      const part = pending.slice(0, end)
      pending = pending.slice(end + terminator.length)
      if (inText) takeText(part)
      else obey(part)
    }
  })

  function obey(line: string): void {
    const verb = line.slice(0, 4).toUpperCase()
    if (behaviour() === 'close with 421') {
      socket.end('421 4.3.2 going down\r\n')
      return
    }
    if (verb === 'MAIL') to = []
    if (verb === 'DATA') inText = true
    say(replyTo(verb, line))
    if (verb === 'QUIT') socket.end()
  }

  function replyTo(verb: string, line: string): string {
    if (verb === 'QUIT') return '221 bye'
    if (verb === 'DATA') return '354 go on'
    if (verb !== 'RCPT') return '250 ok'
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (behaviour() === 'greylist') return '451 4.7.1 come back later'
    if (behaviour() === 'take some recipients' && address.startsWith('refused')) return '550 5.1.1 nobody here'
    to.push(address)
    return '250 ok'
  }

  function takeText(text: string): void {
    inText = false
    const messageId = /^message-id: *(<[^>]+>)/im.exec(text)?.[1] ?? ''
    const entry: Received = { messageId, to, answered: false }
    received.push(entry)
    if (behaviour() === 'cut after the dot') socket.destroy()
    if (behaviour() === 'cut after the dot' || behaviour() === 'hang after the dot') return
    entry.answered = behaviour() !== 'drip'
    say('250 2.0.0 taken')
  }
}

function drip(socket: Socket, text: string): void {
  const next = (index: number) => {
    if (socket.destroyed || index === text.length) return
    socket.write(text[index]!)
    setTimeout(next, 1000, index + 1).unref()
  }
  next(0)
}
