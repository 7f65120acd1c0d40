/** The last step before the network: credentials have been found by then, and the request is signed. */
export const lastStep = { step: 'deserialize', name: 'noteLeaving' } as const

/** For `middlewareStack.add(…, lastStep)`: `onLeave` is called before the first byte, until then nothing can have arrived. */
export function noteLeaving(onLeave: () => void) {
  return <Args, Result>(next: (args: Args) => Promise<Result>) =>
    async (args: Args): Promise<Result> => {
      onLeave()
      return next(args)
    }
}

/** Rejects when the time is up: the library heeds a signal only once it has credentials. */
export function inTime<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([answer, promise])
}
