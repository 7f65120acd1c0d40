import { createServer, type Socket } from 'node:net'

/**
 * Runs as a process that accepts every message and discards it, faster than the measured servers. It sends its port to
 * its parent, and on any message how many it has accepted.
 */
const hello = Buffer.from('220 sink\r\n')
const extensions = '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 50000000\r\n'
const end = Buffer.from('\r\n.\r\n')
const [newLine, m, d, e, q, r] = [0x0a, ...Buffer.from('MDEQR')]
let taken = 0

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0)
  let inText = false
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let replies = ''
    let at = 0
    for (;;) {
      const next = inText ? data.indexOf(end, at) : data.indexOf(newLine!, at)
      if (next === -1) break
      if (inText) {
        taken++
        replies += '250 2.0.0 taken\r\n'
        inText = false
        at = next + end.length
      } else {
        const reply = answer(data[at]! & 0xdf)
        // The line end of DATA stays: it belongs to the end of an empty message.
        inText = reply.startsWith('354')
        replies += reply
        at = next + (inText ? -1 : 1)
      }
    }
    // Keeps only the octets that may begin the end of the text.
    rest = data.subarray(inText ? Math.max(at, data.length - end.length + 1) : at)
    if (replies) socket.write(replies)
  })
  socket.write(hello)
}

function answer(letter: number): string {
  if (letter === m || letter === r) return '250 2.0.0 ok\r\n'
  if (letter === d) return '354 go on\r\n'
  if (letter === e) return extensions
  return letter === q ? '221 2.0.0 bye\r\n' : '250 2.0.0 ok\r\n'
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : null })
})
process.on('message', () => process.send?.({ taken }))
process.on('disconnect', () => process.exit())
