/** Wakes one waiter. A signal without a waiter is kept; several of them count as one. */
export type Signal = { give(): void; heard(): Promise<void> }

export function signal(): Signal {
  let { promise, resolve } = Promise.withResolvers<void>()
  return {
    give: () => resolve(),
    async heard() {
      await promise
      ;({ promise, resolve } = Promise.withResolvers<void>())
    },
  }
}
