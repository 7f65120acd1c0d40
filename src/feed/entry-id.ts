import { invalid } from '../platform/errors.ts'
import { uuidOfHex } from '../platform/ids.ts'

/** A place in the feed of a team: the place of a transaction (`email_events.position`), and an id among its events. */
export type Place = { position: bigint; id: string }

/** Before every entry. */
export const beginning: Place = { position: 0n, id: '00000000-0000-0000-0000-000000000000' }

/** Behind all entries of the transactions before this position, and before all others. */
export function placeBefore(position: bigint): Place {
  return { position: position - 1n, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
}

/** Eight bytes of the position and sixteen of the id. */
const idBytes = 24
const positionMax = 2n ** 63n - 1n

/** Returns the id of an entry: 32 characters that may stand in a URL. Ids of a feed do not sort as texts. */
export function entryIdOf({ position, id }: Place): string {
  const bytes = Buffer.alloc(idBytes)
  bytes.writeBigInt64BE(position)
  bytes.write(id.replaceAll('-', ''), 8, 'hex')
  return bytes.toString('base64url')
}

/** Returns the place of an entry. `name` is where the caller wrote the id. Throws `invalid` for any other text. */
export function placeOf(name: string, text: string): Place {
  const bytes = Buffer.from(text, 'base64url')
  const position = bytes.length === idBytes ? bytes.readBigUInt64BE() : positionMax + 1n
  if (position > positionMax || bytes.toString('base64url') !== text) {
    throw invalid(name, 'must be an id or a cursor of the feed, such as AAAAAAAAA-gBkI…; leave it out to begin anew')
  }
  return { position, id: uuidOfHex(bytes.toString('hex', 8)) }
}
