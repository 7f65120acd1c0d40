import { invalid } from '../platform/errors.ts'
import { uuidOfHex } from '../platform/ids.ts'

/**
 * A place in the feed of a team: the place of a transaction (`email_events.position`), and an id among its events.
 * `known` is the last place that retention had removed when the reader began: it does not count as missed.
 */
export type Place = { position: bigint; id: string; known?: Place | undefined }

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

/** Returns the cursor of a place: its id, and behind it that of `known` until the reader has come as far. */
export function cursorOf(place: Place): string {
  const { known } = place
  return known && isBefore(place, known) ? entryIdOf(place) + entryIdOf(known) : entryIdOf(place)
}

export function isBefore(one: Place, other: Place): boolean {
  return one.position < other.position || (one.position === other.position && one.id < other.id)
}

/** Each group of three bytes is four characters. */
const idLength = (idBytes / 3) * 4

/**
 * Returns the place of an entry or a cursor. `name` is where the caller wrote it. Throws `invalid` for any other text.
 */
export function placeOf(name: string, text: string): Place {
  const place = placeOfEntry(name, text.slice(0, idLength))
  return text.length <= idLength ? place : { ...place, known: placeOfEntry(name, text.slice(idLength)) }
}

function placeOfEntry(name: string, text: string): Place {
  const bytes = Buffer.from(text, 'base64url')
  const position = bytes.length === idBytes ? bytes.readBigUInt64BE() : positionMax + 1n
  if (position > positionMax || bytes.toString('base64url') !== text) {
    throw invalid(name, 'must be an id or a cursor of the feed, such as AAAAAAAAA-gBkI…; leave it out to begin anew')
  }
  return { position, id: uuidOfHex(bytes.toString('hex', 8)) }
}
