import { createServer, type Socket } from 'node:net'

/**
 * Runs as a process that answers every POST with an empty 200, faster than the measured servers. It sends its port to
 * its parent. On any message it answers how many requests it has served, and how many of them repeated a path
 * (`/runs/17`).
 */
const good = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const headersEnd = Buffer.from('\r\n\r\n')
const seen = new Set<string>()
let taken = 0

function serve(socket: Socket): void {
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
      taken++
      seen.add(head.slice(0, head.indexOf(' HTTP/')))
      answers += good
    }
    rest = data.subarray(at)
    if (answers) socket.write(answers)
  })
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : null })
})
process.on('message', () => process.send?.({ taken, repeated: taken - seen.size }))
process.on('disconnect', () => process.exit())
