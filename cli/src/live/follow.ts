import type { FeedOptions, StreamedEntry } from '../../../sdk/src/feed.ts'
import type { Call } from '../call.ts'
import type { Values } from '../flags.ts'

const interrupted = 130

/**
 * Follows the feed until the command is interrupted, and returns the exit code. The stream goes on over breaks; only at
 * the start a server that is out of reach ends the command. Once `take` returns false, the stream is opened anew,
 * behind the last place that was reached and not refused.
 */
export async function follow(
  { client, io }: Call,
  options: FeedOptions,
  take: (entry: StreamedEntry) => Promise<boolean>,
): Promise<number> {
  const posthorn = client()
  // Tells of a wrong URL, a bad key or a missing permission, which the stream would wait for or tell later.
  await posthorn.feed.list({ limit: 1 })
  let after: string | undefined
  const onReady: NonNullable<FeedOptions['onReady']> = (ready) => {
    after = ready.id
    options.onReady?.(ready)
  }
  const onPlace = (id: string) => {
    after = id
  }
  try {
    for (;;) {
      const from = after === undefined ? {} : { after }
      for await (const entry of posthorn.feed.stream({ ...options, ...from, ...signalOf(io), onReady, onPlace })) {
        if (!(await take(entry))) break
        after = entry.id
      }
    }
  } catch (error) {
    if (io.signal?.aborted) return interrupted
    throw error
  }
}

function signalOf({ signal }: Call['io']): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}

/** Reads types of events from a flag: given many times, or with commas between them. All types if it is left out. */
export function typesOf(given: Values[string]): Pick<FeedOptions, 'types'> {
  const texts = Array.isArray(given) ? given : []
  const types = texts.flatMap((text) => text.split(',')).filter((type) => type !== '')
  return types.length > 0 ? { types: types as NonNullable<FeedOptions['types']> } : {}
}
