import assert from 'node:assert/strict'
import type { Envelope } from './envelope.ts'
import type { Extensions } from './extensions.ts'
import { type Session, type TransactionResult, transact } from './transaction.ts'

export type Connection = {
  readonly extensions: Extensions
  readonly secure: boolean
  /** False once it is lost or ending: only good for being dropped. */
  readonly alive: boolean
  /**
   * Hands one message over; `raw` has CRLF line ends. Never throws for what the server does. One at a time, except that
   * the next may be begun from within `watch`'s `room`.
   */
  transaction(envelope: Envelope, raw: Buffer): Promise<TransactionResult>
  /** `room`: one more transaction may be begun behind the text being written. `lost`: the connection is gone. */
  watch(listener: { room(): void; lost(): void }): void
  /** Says QUIT and ends; settled when the connection is closed. */
  quit(): Promise<void>
  destroy(): void
}

export function createConnection(session: Session): Connection {
  const { wire, extensions, timeouts } = session
  /** The transaction that has not yet written its text: until then nothing may be sent behind it. */
  let opening: object | null = null
  let ending = false
  let room = () => {}
  return {
    extensions,
    get secure() {
      return wire.secure
    },
    get alive() {
      return !ending && wire.lost === null
    },
    async transaction(envelope, raw) {
      assert(opening === null, 'a transaction was begun while another still waits for leave to send its text')
      const mine = {}
      opening = mine
      const done = () => {
        if (opening === mine) opening = null
      }
      const result = await transact(session, envelope, raw, () => {
        done()
        if (!ending) room()
      })
      done()
      return result
    },
    watch(listener) {
      room = listener.room
      wire.onLost(listener.lost)
    },
    async quit() {
      if (wire.lost) return
      ending = true
      wire.write('QUIT\r\n')
      await wire.ask(timeouts.quitMs)
      wire.destroy('ended')
    },
    destroy: () => wire.destroy('ended by this side'),
  }
}
