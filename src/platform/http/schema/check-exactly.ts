import type { ErrorObject } from 'ajv/dist/2020.js'
import { ExactNumber } from '../../numbers/exact-number.ts'

type Check = (value: unknown) => ErrorObject[] | null
type Place = { holder: Record<string, unknown>; name: string; number: ExactNumber }

/**
 * Checks a value that may hold numbers that a double does not hold, which the validator does not know. They are
 * accepted where a number and a text are: a field that takes numbers alone is computed with, and would change them.
 */
export function checkExactly(value: unknown, check: Check): ErrorObject[] | null {
  const root = { value }
  const places = placesIn(root)
  if (places.length === 0) return check(value)
  const checkWith = (stand: (number: ExactNumber) => unknown) => {
    for (const { holder, name, number } of places) holder[name] = stand(number)
    return check(root.value)
  }
  const given = ({ data }: ErrorObject) =>
    places.find(({ number }) => nearest(number) === data || String(number) === data)
  const faults = checkWith(nearest) ?? checkWith(String)
  for (const { holder, name, number } of places) holder[name] = number
  return faults?.map((fault) => ({ ...fault, data: given(fault)?.number ?? fault.data })) ?? null
}

/** Returns the nearest double. The validator does not accept an infinite one as a number. */
function nearest(number: ExactNumber): number {
  return Math.min(Math.max(Number(number), -Number.MAX_VALUE), Number.MAX_VALUE)
}

function placesIn(holder: object, found: Place[] = []): Place[] {
  for (const name of Object.keys(holder)) {
    const value = (holder as Record<string, unknown>)[name]
    if (typeof value !== 'object' || value === null) continue
    if (value instanceof ExactNumber) found.push({ holder: holder as Record<string, unknown>, name, number: value })
    else placesIn(value, found)
  }
  return found
}
