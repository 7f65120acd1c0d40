import { readFileSync } from 'node:fs'
import { createServer, type TLSSocket } from 'node:tls'

/**
 * Runs as a process that answers every POST over TLS with an empty 200, faster than the measured servers. It never
 * answers `/dead`. It sends its port to its parent, and on any message how many requests it has answered.
 */
const fixtures = new URL('../src/platform/egress/fixtures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(`localhost.${name}.pem`, fixtures))
const good = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const headersEnd = Buffer.from('\r\n\r\n')
let taken = 0

function serve(socket: TLSSocket): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    let answers = ''
    for (;;) {
      const end = data.indexOf(headersEnd, at)
      if (end === -1) break
      const head = data.toString('latin1', at, end)
      const next = end + headersEnd.length + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (next > data.length) break
      at = next
      if (head.startsWith('POST /dead')) continue
      taken++
      answers += good
    }
    rest = data.subarray(at)
    if (answers) socket.write(answers)
  })
}

const server = createServer({ cert: read('cert'), key: read('key') }, serve).listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : null })
})
process.on('message', () => process.send?.({ taken }))
process.on('disconnect', () => process.exit())
