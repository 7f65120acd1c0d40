import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

const waitingBySocket = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `end` once, when the answer is handed to the kernel or its connection has closed. Node does not report the
 * close to a response that waits behind another one of the same connection.
 */
export function whenAnswered(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  end: () => void,
): void {
  const waiting = waitingOf(socket)
  const endOnce = () => {
    if (waiting.delete(endOnce)) end()
  }
  waiting.add(endOnce)
  response.once('close', endOnce)
  if (socket.destroyed) endOnce()
}

function waitingOf(socket: Socket): Set<() => void> {
  const known = waitingBySocket.get(socket)
  if (known) return known
  const made = new Set<() => void>()
  waitingBySocket.set(socket, made)
  socket.once('close', () => {
    for (const end of made) end()
  })
  return made
}
