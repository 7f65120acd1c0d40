/** The last step before the network: the credentials are known and the request is signed. */
export const lastStep = { step: 'deserialize', name: 'noteLeaving' } as const

/**
 * For `middlewareStack.add(…, lastStep)`. Calls `onLeave` before the first byte is sent; until then nothing can have
 * arrived.
 */
export function noteLeaving(onLeave: () => void) {
  return <Args, Result>(next: (args: Args) => Promise<Result>) =>
    async (args: Args): Promise<Result> => {
      onLeave()
      return next(args)
    }
}

/** Rejects when the time is up. The library itself checks a signal only once it has credentials. */
export function inTime<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([answer, promise])
}
