import type { Gets, Patches } from './endpoints.ts'
import { Refusal } from './refusal.ts'
import { type Answer, ask, getAny } from './request.ts'

/** Ours: so many saves by others between a read and a write are a fault, which is shown. */
const attemptsMax = 5

/** A thing that several people edit. */
export type ChangedPath = keyof Gets & keyof Patches & `${string}/:id`

/**
 * Reads a thing and changes this version of it. When somebody else saves in between, it is read again and `decide` is
 * asked again. `decide` returns the body of the change, or null to leave the thing as it is. Returns the thing as the
 * server has it then.
 */
export async function changeLatest<P extends ChangedPath>(
  path: P,
  input: { id: string },
  decide: (now: Answer<P>) => object | null,
): Promise<Answer<P>> {
  for (let attempt = 1; ; attempt++) {
    let version: string | null = null
    const now = await getAny(path, input, {
      onHeaders: (headers) => {
        version = headers.get('ETag')
      },
    })
    const body = decide(now)
    if (body === null) return now
    try {
      return await ask<Answer<P>>(
        'PATCH',
        path,
        { ...input, body },
        { headers: version === null ? {} : { 'If-Match': version } },
      )
    } catch (error) {
      const isOther = error instanceof Refusal && error.status === 412
      if (!isOther || attempt === attemptsMax) throw error
    }
  }
}
