// The types of the client leave its inner parts out.
/// <reference path="./undici.d.ts" />
import type { Socket } from 'node:net'
import symbols from 'undici/lib/core/symbols.js'

type Parser = { onHeadersComplete(status: number, ...rest: unknown[]): number }

/**
 * Makes the client pass over a `100 Continue` that it did not ask for, as RFC 9110, 15.2 demands. The client takes one
 * for a fault, although the request has arrived, and passes over every other interim answer: so its parser is told of a
 * 102. Called for each new connection, before the client has it.
 */
export function passOverContinue(socket: Socket): void {
  let parser: Parser | null = null
  Object.defineProperty(socket, symbols.kParser, {
    configurable: true,
    get: () => parser,
    set(given: Parser | null) {
      parser = given
      if (!given) return
      const read = given.onHeadersComplete
      given.onHeadersComplete = (status, ...rest) => read.call(given, status === 100 ? 102 : status, ...rest)
    },
  })
}
