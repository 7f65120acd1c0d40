type Json = Record<string, unknown>

/** Returns a part of an OpenAPI document with what its references name in their place. */
export function inlined<T>(document: Json, part: T): T {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((each) => inlined(document, each)) as T
  const { $ref } = part as { $ref?: string }
  if ($ref !== undefined) return inlined(document, named(document, $ref)) as T
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inlined(document, value)])) as T
}

function named(document: Json, reference: string): unknown {
  const names = reference.replace('#/', '').split('/')
  return names.reduce<unknown>((within, name) => (within as Json)[name], document)
}
