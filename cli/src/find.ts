import type { Client } from './client.ts'
import { Failure, usageFailure } from './failure.ts'
import type { Finder } from './nouns.ts'
import { operations } from './operations.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const pageRows = '100'

type Row = Record<string, unknown> & { id: string }

/** Returns the id of what a person calls by its name, address or URL. An id is taken as it is. */
export async function idOf(client: Client, finder: Finder | undefined, word: string): Promise<string> {
  // Such a word would be resolved away in the path of the request.
  if (/^\.{0,2}$/.test(word)) throw usageFailure(`"${word}" is no id.`)
  if (!finder || uuid.test(word)) return word
  const found = (await rowsOf(client, finder, word)).filter((row) => isCalled(row, finder, word))
  if (found.length === 1) return found[0]!.id
  const noun = operations[finder.list].path.replace('/v1/', '').replaceAll('/', ' ')
  if (found.length > 1)
    throw usageFailure(
      `${found.length} ${noun} are called "${word}". Give an id: ${found.map(({ id }) => id).join(', ')}`,
    )
  throw new Failure(1, 'not_found', `There is no "${word}" among ${noun}.`, { status: 404 })
}

async function rowsOf(client: Client, { list, hasSearch }: Finder, word: string): Promise<Row[]> {
  const { path } = operations[list]
  return client.rows<Row>(path, { limit: pageRows, ...(hasSearch && { search: word }) }).all()
}

function isCalled(row: Row, { by }: Finder, word: string): boolean {
  return by.some((field) => String(row[field]).toLowerCase() === word.toLowerCase())
}
