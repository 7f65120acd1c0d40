import { contactReads } from './contact-reads.ts'
import { fillContacts, fillSegments, fillTopic } from './fill-contacts.ts'
import { type Figures, measureReads, readClients, readResults } from './measure-reads.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { callApi, type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

const segmentsCount = 20

/** Row 9, from f on: lists of contacts and of segments with their counts, at 10,000 contacts and at a million. */
export const listContacts: Workload = {
  name: 'list-contacts',
  run: (options) => withPosthorn({}, readClients, (parts) => measure(options, parts)),
}

async function measure(options: Options, parts: Parts): Promise<Result[]> {
  const { database, teamId, http, posthorn } = parts
  const sizes = options.quick ? [1000, 10_000] : [10_000, 1_000_000]
  const names = Array.from({ length: segmentsCount }, (_, n) => `Segment ${n}`)
  const segmentIds = await Promise.all(names.map((name) => make(parts, '/v1/segments', name)))
  const topicId = await make(parts, '/v1/topics', 'News')
  const measured: Map<string, Figures>[] = []
  let filled = 0
  for (const size of sizes) {
    options.say(`filling up to ${size} contacts`)
    await fillContacts(database, teamId, filled, size)
    await fillSegments(database, teamId, segmentIds, filled, size)
    await fillTopic(database, teamId, topicId, filled, size)
    filled = size
    measured.push(await measureReads(options, contactReads(database, teamId), http, posthorn.key!))
  }
  return readResults('f', 'contacts', sizes, measured, inMiB(await memoryMiB(posthorn.pid)))
}

async function make(parts: Parts, path: string, name: string): Promise<string> {
  return (await callApi<{ id: string }>(parts, 'POST', path, { name })).id
}
