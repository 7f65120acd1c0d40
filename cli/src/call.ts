import { Client } from './client.ts'
import { type Connection, connectionOf } from './connection.ts'
import type { Values } from './flags.ts'
import type { Io } from './io.ts'
import { visibleJson } from './output/visible.ts'

/** A command that is being run. */
export type Call = {
  /** Such as `emails list`. */
  name: string
  /** The arguments that are not flags. */
  words: string[]
  values: Values
  io: Io
  /** `--json` was given. */
  json: boolean
  /** The flags of each command, by its name. */
  commands(): Promise<Map<string, string[]>>
  /** Where its requests go. Throws a `Failure` if there is no key. */
  connection(): Connection
  /** A client of the server. Throws a `Failure` if there is no key. */
  client(): Client
  /** Writes the result: one JSON document with `--json`, else the text for people. */
  show(value: unknown, text: () => string | Uint8Array): void
}

/** The work of a command. It throws what it is refused, and may return an exit code other than 0. */
export type Work = (call: Call) => Promise<number | undefined>

export function callOf(
  name: string,
  io: Io,
  { words, values }: { words: string[]; values: Values },
  commands: Call['commands'],
): Call {
  const json = values.json === true
  let client: Client | undefined
  const connection = () => connectionOf(io, values)
  return {
    name,
    words,
    values,
    io,
    json,
    commands,
    connection,
    client: () => (client ??= new Client(connection(), io)),
    show: (value, text) => io.out(json ? `${visibleJson(value, 2)}\n` : text()),
  }
}
