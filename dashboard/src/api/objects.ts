import { parseJson } from './exact-json.ts'

type JsonObject = Record<string, unknown>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Reads a JSON object; null if the text is none. */
export function readObject(text: string): JsonObject | null {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the names of a record's fields, for a record that has only the fields of its type. */
export function namesOf<T extends object>(record: T): (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[]
}

/** Returns some fields of a record. */
export function pick<T extends object>(record: T, names: (keyof T)[]): Partial<T> {
  const picked: Partial<T> = {}
  for (const name of names) picked[name] = record[name]
  return picked
}

export function recordOf<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>
}

/** Leaves empty fields out of a request, so that the server names those that it needs. */
export function filled<Values extends Record<string, string | null>>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Values
}
