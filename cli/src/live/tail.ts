import type { StreamedEntry } from '../../../sdk/src/feed.ts'
import type { Call } from '../call.ts'
import { visible, visibleJson } from '../output/visible.ts'
import { follow, typesOf } from './follow.ts'

/** Writes what happens, a line for each entry of the feed, until it is interrupted. */
export function tail(call: Call): Promise<number> {
  return follow(call, typesOf(call.values.type), async (entry) => {
    call.io.out(`${call.json ? visibleJson(entry) : lineOf(entry)}\n`)
    return true
  })
}

function lineOf({ at, type, data: { emailId, details } }: StreamedEntry): string {
  const told = details && Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : ''
  return visible(`${at} ${type} ${emailId}${told}`)
}
