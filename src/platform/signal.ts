/** Wakes one waiter. Given without a waiter it is kept, and several count as one. */
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
