import { bareImport, makeBareTable } from './bare-import.ts'
import { perSecond } from './format.ts'
import { withPeakMemory } from './peak-memory.ts'
import { inMiB } from './processes.ts'
import { inTurns, median } from './statistics.ts'
import { callApi, type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

/** The most contacts of a call. */
const perCall = 10_000
const ratioMin = 0.5

/** Row 8: contacts by `POST /v1/contacts/import`, new ones and known ones, against COPY and an insert. */
export const importContacts: Workload = {
  name: 'import-contacts',
  run: (options) => withPosthorn({}, 2, (parts) => measure(options, parts)),
}

type Contact = { email: string; firstName: string; lastName: string; phoneNumber: string }
type Answer = { created: number; updated: number; skipped: number; errors: unknown[] }

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const count = options.quick ? 20_000 : 100_000
  await makeBareTable(parts.database)
  const memory: number[] = []
  const take = async (contacts: Contact[], expected: 'created' | 'updated') => {
    const { made, peakMiB } = await withPeakMemory(parts.posthorn.pid, () => importAll(parts, contacts, expected))
    memory.push(peakMiB)
    return made
  }
  const copy = (contacts: Contact[]) => {
    const csv = contacts.map((contact) => `${Object.values(contact).join(',')}\n`).join('')
    return bareImport(parts, Buffer.from(csv), count)
  }
  // Each round imports new contacts, the same on all sides, so that both tables grow equally.
  const side = (name: string, lastName: string, work: (contacts: Contact[]) => Promise<number>) => {
    let from = 0
    return async () => {
      const rate = (count / (await work(makeContacts(from, count, lastName)))) * 1000
      from += count
      options.say(`${name}: ${perSecond(rate)}`)
      return rate
    }
  }
  const figures = await inTurns<string, number>(options.rounds, {
    created: side('new, ours', 'Lovelace', (contacts) => take(contacts, 'created')),
    bare: side('new, COPY + insert', 'Lovelace', copy),
    updated: side('known, ours', 'King', (contacts) => take(contacts, 'updated')),
    bareUpdated: side('known, COPY + insert', 'King', copy),
  })
  return results(count, figures, inMiB(median(memory)))
}

function makeContacts(from: number, count: number, lastName: string): Contact[] {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    const phoneNumber = `+61400${String(n).padStart(6, '0')}`
    return { email: `Person${n}@example.com`, firstName: 'Ada', lastName: `${lastName} ${n % 977}`, phoneNumber }
  })
}

/** Returns the milliseconds for importing all contacts, one call after the other. */
async function importAll(parts: Parts, contacts: Contact[], expected: 'created' | 'updated'): Promise<number> {
  const bodies: string[] = []
  for (let first = 0; first < contacts.length; first += perCall)
    bodies.push(JSON.stringify({ contacts: contacts.slice(first, first + perCall) }))
  const started = performance.now()
  let taken = 0
  for (const body of bodies) taken += (await callApi<Answer>(parts, 'POST', '/v1/contacts/import', body))[expected]
  const elapsedMs = performance.now() - started
  if (taken !== contacts.length) throw new Error(`${taken} of ${contacts.length} contacts were ${expected}.`)
  return elapsedMs
}

function results(count: number, figures: Record<string, number[]>, memory: string): Result[] {
  const { created, bare, updated, bareUpdated } = figures
  const ratioOf = (mine: number[], others: number[]) => median(mine.map((rate, round) => rate / others[round]!))
  const ratio = ratioOf(created!, bare!)
  return [
    {
      ...{ row: '8', what: `POST /v1/contacts/import, ${count} new contacts, ${perCall} a call` },
      ...{ ours: perSecond(median(created!)), reference: `${perSecond(median(bare!))} COPY + insert`, ratio },
      ...{ target: `>= ${ratioMin}x`, met: ratio >= ratioMin, memory: `peak ${memory}` },
    },
    {
      ...{ row: '8b', what: 'the same again, each with another name', ours: perSecond(median(updated!)) },
      reference: `${perSecond(median(bareUpdated!))} COPY + insert … on conflict do update`,
      ...{ ratio: ratioOf(updated!, bareUpdated!), target: 'as near as it gets', met: null },
    },
  ]
}
