import { bodyMaxBytes, importMembersMax } from '../../../../src/contacts/import/bounds.ts'
import type { Batch } from '../reader/protocol.ts'
import { type Mapping, readCells } from './columns.ts'
import type { CsvFile } from './parse.ts'

const rowsMax = 2000
/** A character is three bytes at most. A tenth is left for what stands around the rows. */
const charsMax = Math.floor((0.9 * bodyMaxBytes) / 3)
/** Members are counted by their commas here. A quarter is left for those without one. */
const membersMax = Math.floor(0.75 * importMembersMax)
const rowCharsMax = 1024 * 1024

/** Takes the rows of the next request: 2,000, or fewer if they are large. */
export function takeBatch({ records }: CsvFile, from: number, mapping: Mapping): Batch {
  const batch: Batch = { contacts: [], at: [], refused: [], next: from }
  let [chars, members] = [0, 0]
  while (batch.next < records.length && batch.contacts.length + batch.refused.length < rowsMax) {
    const index = batch.next
    const row = readCells(mapping, records[index]!.cells)
    const json = typeof row === 'string' ? '' : JSON.stringify(row)
    const [size, count] = [json.length, json.split(',').length + 2]
    if (chars > 0 && (chars + size > charsMax || members + count > membersMax)) break
    batch.next++
    if (typeof row === 'string') batch.refused.push({ index, reason: row })
    else if (size > rowCharsMax || count > membersMax) batch.refused.push({ index, reason: 'is too large' })
    else {
      batch.contacts.push(row)
      batch.at.push(index)
      chars += size
      members += count
    }
  }
  return batch
}
