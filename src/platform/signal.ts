/** Wakes one waiter; given while nobody waits, it is kept, and several are as one. */
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
