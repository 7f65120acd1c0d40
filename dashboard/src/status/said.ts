const depthMax = 5

/** Finds the sentence of a host or a provider in the data of an event, under the first of these names that has one. */
export function saidIn(data: unknown, names: string[]): string | null {
  for (const name of names) {
    const [found] = textsUnder(data, name)
    if (found !== undefined) return found
  }
  return null
}

/** Returns the texts that stand under a name, at any depth to `depthMax`. Providers nest their data as they like. */
export function textsUnder(value: unknown, name: string, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > depthMax) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === name) return [inner].flat().filter((one): one is string => typeof one === 'string' && one !== '')
    return textsUnder(inner, name, depth + 1)
  })
}
