import type { Call, Work } from './call.ts'
import type { Client } from './client.ts'
import { confirm } from './confirm.ts'
import { Failure, usageFailure } from './failure.ts'
import { fieldValues } from './fields.ts'
import { idOf } from './find.ts'
import { finderOf, finderOfField, nounOf, nouns } from './nouns.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { columnsOf, linesText, tableText } from './output/table.ts'
import { visibleLines } from './output/visible.ts'
import { verbOf } from './verbs.ts'

type Row = Record<string, unknown>
type Page = { data: Row[]; cursor: string | null; hasMore: boolean }

/** Returns the work of a command that is one operation. */
export function performing(name: string): Work {
  return async (call) => {
    const verb = verbOf(name)
    const operation: Operation = operations[verb.does]
    const params = paramsOf(operation)
    const fields = await fieldValues(call, operation, { ...verb, words: call.words.slice(params.length) })
    // Missing fields are refused before a person or the server is asked.
    const asks = verb.reachesMany || (operation.method === 'DELETE' && !verb.isHarmless)
    if (asks && !call.io.canAsk) await confirm(call, questionOf(operation, call))
    const client = call.client()
    const path = await filledPath(client, name, operation, call.words)
    await findNamed(client, name, operation, fields)
    if (asks && call.io.canAsk) await confirm(call, await withCount(call, path, questionOf(operation, call)))
    await send(call, client, operation, { path, fields })
  }
}

/** Returns the names of the parameters of a path. */
export function paramsOf({ path }: Operation): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, param]) => param!)
}

function questionOf({ summary }: Operation, { words }: Call): string {
  return `${summary}${words.length > 0 ? `: ${words.join(' ')}` : ''}?`
}

/** A person who sends a broadcast is told how many it reaches. */
async function withCount(call: Call, path: string, question: string): Promise<string> {
  if (call.name !== 'broadcasts send' || call.values.yes === true) return question
  const counted = { method: 'GET', path: path.replace(/send$/, 'audience') }
  const { recipients } = await call.client().run<{ recipients: number }>(counted)
  return question.replace(/\?$/, `, to ${recipients} recipients?`)
}

/** Puts ids in the place of what people call things, in fields that hold ids. */
async function findNamed(client: Client, name: string, { fields }: Operation, given: Row): Promise<void> {
  for (const [field, { id }] of Object.entries(fields)) {
    const finder = id && finderOfField(name, field)
    if (!finder || given[field] === undefined || given[field] === null) continue
    const ids: string[] = []
    for (const word of [given[field]].flat()) ids.push(await idOf(client, finder, String(word)))
    given[field] = Array.isArray(given[field]) ? ids : ids[0]
  }
}

async function filledPath(client: Client, name: string, operation: Operation, words: string[]): Promise<string> {
  let path = operation.path
  for (const [index, param] of paramsOf(operation).entries()) {
    const id = await idOf(client, finderOf(name, param), words[index]!)
    path = path.replace(`:${param}`, encodeURIComponent(id))
  }
  return path
}

async function send(call: Call, client: Client, operation: Operation, request: { path: string; fields: Row }) {
  const { method, takes, key, paged, reads = 'json' } = operation
  const { path, fields } = request
  const query = takes === 'query' ? texts(fields) : {}
  if (paged && call.values.all === true) {
    const max = rowsMax(fields.limit)
    // One more tells whether there are further ones.
    const rows = await client.rows<Row>(path, { ...query, limit: String(Math.min(max, 100)) }).all({ max: max + 1 })
    return showPage(call, { data: rows.slice(0, max), cursor: null, hasMore: rows.length > max })
  }
  const asked = new URLSearchParams(query)
  const answer = await client.run(
    {
      method,
      path: asked.size > 0 ? `${path}?${asked}` : path,
      takesKey: key === true,
      reads,
      ...(takes === 'body' && { body: fields }),
    },
    {
      ...(call.values['idempotency-key'] !== undefined && { idempotencyKey: String(call.values['idempotency-key']) }),
      // A file may be of any length.
      ...(reads !== 'json' && { timeoutMs: Number.POSITIVE_INFINITY }),
    },
  )
  if (paged) return showPage(call, answer as Page)
  if (Array.isArray(answer)) return showRows(call, answer)
  showAnswer(call, answer)
}

function rowsMax(limit: unknown): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY
  if (!Number.isInteger(limit) || Number(limit) < 1)
    throw usageFailure(`--limit must be a whole number of at least 1; it was ${limit}.`)
  return Number(limit)
}

function texts(fields: Row): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function showAnswer(call: Call, answer: unknown): void {
  if (answer instanceof Uint8Array) call.io.out(answer)
  else if (typeof answer === 'string') showText(call, answer)
  else call.show(answer, () => linesText(answer as Row))
}

/** A terminal gets it without control characters, a file as it is. */
export function showText(call: Call, text: string): void {
  call.show(text, () => (call.io.outIsTerminal ? visibleLines(text) : text))
}

function showPage(call: Call, page: Page): void {
  if (!Array.isArray(page?.data)) throw new Failure(1, 'not_posthorn', notPosthorn)
  call.show(page, () => rowsText(call, page.data))
  if (page.hasMore && !call.json) call.io.err('There are more. See all with --all, or the next ones with --cursor.\n')
}

const notPosthorn = 'The answer is no list of Posthorn. Is that the URL of a Posthorn server?'

function showRows(call: Call, rows: Row[]): void {
  call.show(rows, () => rowsText(call, rows))
}

function rowsText({ name, io }: Call, rows: Row[]): string {
  if (rows.length === 0) io.err('There are none.\n')
  if (rows.length === 0) return ''
  const known = nouns[nounOf(name)]?.columns ?? []
  const isOfNoun = known.length > 0 && known.every((column) => column in rows[0]!)
  return tableText(rows, isOfNoun ? known : columnsOf(rows))
}
