import assert from 'node:assert/strict'
import type { Envelope } from './envelope.ts'
import type { Extensions } from './extensions.ts'
import { type Session, type TransactionResult, transact } from './transaction.ts'

export type Connection = {
  readonly extensions: Extensions
  readonly secure: boolean
  /** False once the connection is lost or ending; it then takes no further message. */
  readonly alive: boolean
  /**
   * Hands over one message; `raw` has CRLF line ends. Never throws for a server's fault. Runs one transaction at a
   * time, except that `watch`'s `room` may begin the next. The text is not sent any more if `isGivenUp`.
   */
  transaction(envelope: Envelope, raw: Buffer, isGivenUp?: () => boolean): Promise<TransactionResult>
  /**
   * Calls `room` when the next transaction may begin, behind the text being written, and `lost` when the connection is
   * lost.
   */
  watch(listener: { room(): void; lost(): void }): void
  /** Sends QUIT and closes. Resolves once the connection is closed. */
  quit(): Promise<void>
  destroy(): void
}

export function createConnection(session: Session): Connection {
  const { wire, extensions, timeouts } = session
  /** The transaction that has not yet written its text. Until then no other may begin. */
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
    async transaction(envelope, raw, isGivenUp = () => false) {
      assert(opening === null, 'a transaction was begun while another still waits for leave to send its text')
      const mine = {}
      opening = mine
      const done = () => {
        if (opening === mine) opening = null
      }
      const hasRoom = () => {
        done()
        if (!ending) room()
      }
      const result = await transact(session, envelope, raw, { hasRoom, isGivenUp })
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
