import { readFileSync } from 'node:fs'
import { createServer } from 'node:tls'
import { answerPosts, serveParent } from './answer-posts.ts'

/**
 * Runs as a process that answers every POST over TLS, except those to `/dead`. It tells its parent its port, and on any
 * message how many requests it has answered.
 */
const fixtures = new URL('../src/platform/egress/fixtures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(`localhost.${name}.pem`, fixtures))
let taken = 0

const server = createServer({ cert: read('cert'), key: read('key') }, (socket) =>
  answerPosts(socket, (head) => {
    if (head.startsWith('POST /dead')) return false
    taken++
    return true
  }),
)
serveParent(server, () => ({ taken }))
