import type { Mode } from '../../api/mode.ts'
import { type Answer, get } from '../../api/request.ts'
import { pages } from '../../pages.ts'
import type { PagePath } from '../../paths.ts'
import { nameOfKept } from '../../ui/text/erased.tsx'

/** `search` is the search of the list at `path`, for a thing that has no page of its own. */
type Found = { path: PagePath; search?: string; mode: Mode; name: string; kind: string }

/** The thing that has an id. `parentId` is the workflow of an execution, or the webhook of a delivery. */
type Thing = NonNullable<Answer<'/v1/lookup'>['found']>
type Search = (text: string, mode: Mode, signal: AbortSignal) => Promise<Found[]>

/** The page of each kind of thing. */
const pageOf = new Map(pages.map((page) => [page.shows, page]))

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const foundMax = 5

/**
 * Looks for things by a text, or for the thing of an id. A list that refuses is left out. Emails are those of the mode.
 * The inbox is not asked: what it holds is among the emails.
 */
export async function findThings(text: string, mode: Mode, signal: AbortSignal): Promise<Found[]> {
  if (uuid.test(text)) return findById(text, signal)
  const answers = await Promise.allSettled(searches.map((search) => search(text, mode, signal)))
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Ids of test emails lead to their pages too. Other things of test mode have no page. */
async function findById(id: string, signal: AbortSignal): Promise<Found[]> {
  const live = await lookUp(id, undefined, signal)
  if (live) return toFound(live)
  const test = await lookUp(id, 'test', signal)
  return test?.kind === 'email' ? toFound(test, 'test') : []
}

async function lookUp(id: string, mode: Mode, signal: AbortSignal): Promise<Thing | null> {
  return (await get('/v1/lookup', { id, mode }, { signal })).found
}

/** The searches of lists that the palette asks. */
const searches: Search[] = [
  async (find, mode, signal) => {
    const { data } = await get('/v1/emails', { find, limit: foundMax, mode }, { signal })
    return data.flatMap(({ id, subject }) => toFound({ kind: 'email', id, parentId: null, name: subject }, mode))
  },
  async (search, _mode, signal) => {
    const { data } = await get('/v1/contacts', { search, limit: foundMax }, { signal })
    return data.flatMap(({ id, email }) => toFound({ kind: 'contact', id, parentId: null, name: email }))
  },
  async (search, _mode, signal) => {
    const { data } = await get('/v1/sms', { search, limit: foundMax }, { signal })
    return data.flatMap(({ id, to, body }) => toFound({ kind: 'sms', id, parentId: null, name: `${to}: ${body}` }))
  },
  async (search, _mode, signal) => {
    const { data } = await get('/v1/suppressions', { search, limit: foundMax }, { signal })
    return data.map(({ email }) => ({
      ...{ path: '/suppressions', search: email, mode: undefined },
      ...{ name: nameOfKept(email, 'address'), kind: 'Suppression' },
    }))
  },
]

/** A kind that is newer than this page has no page here. */
function toFound({ kind, id, parentId, name }: Thing, mode?: Mode): Found[] {
  const page = pageOf.get(kind)
  if (!page) return []
  // The first parameter of a page of two is the parent's id.
  const ids = [parentId, id].filter((one) => one !== null)
  const path = page.path.replaceAll(/:\w+/g, () => ids.shift() ?? '') as PagePath
  return [{ path, mode, kind: page.title, name }]
}
