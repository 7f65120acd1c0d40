import { createServer } from 'node:net'
import { answerPosts, serveParent } from './answer-posts.ts'

/**
 * Runs as a process that answers every POST. It tells its parent its port, and on any message how many requests it has
 * served, and how many of them repeated a path (`/runs/17`).
 */
const seen = new Set<string>()
let taken = 0

const server = createServer((socket) =>
  answerPosts(socket, (head) => {
    taken++
    seen.add(head.slice(0, head.indexOf(' HTTP/')))
    return true
  }),
)
serveParent(server, () => ({ taken, repeated: taken - seen.size }))
