import type { App } from '../context.ts'

/**
 * Keeps a value for each app, created at its first use: two apps in one process share nothing. Another object with the
 * lifetime of an app, such as its `jobs`, can own the value if only a `tx` is available.
 */
export function perApp<T, Owner extends object = App>(create: (owner: Owner) => T): (owner: Owner) => T {
  const values = new WeakMap<Owner, { value: T }>()
  return (owner) => {
    const known = values.get(owner)
    if (known) return known.value
    const value = create(owner)
    values.set(owner, { value })
    return value
  }
}
