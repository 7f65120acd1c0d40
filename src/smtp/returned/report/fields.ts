export type Fields = ReadonlyMap<string, string[]>

/**
 * Reads groups of `Name: value` lines (RFC 3464 2.1, RFC 5965): like a message's header, with blank lines between
 * groups. Names are in lower case. Skips other lines, and reads at most `groupsMax` groups.
 */
export function readFieldGroups(text: string, groupsMax: number): Fields[] {
  const groups: Map<string, string[]>[] = []
  let open: Map<string, string[]> | null = null
  let values: string[] | null = null
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') {
      open = values = null
      continue
    }
    if (/^[ \t]/.test(line)) {
      if (values) values.push(`${values.pop()} ${line.trim()}`.trim())
      continue
    }
    if (!open) {
      if (groups.length === groupsMax) break
      open = new Map()
      groups.push(open)
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    values = /^[\w-]+$/.test(name) ? (open.get(name) ?? []) : null
    if (!values) continue
    values.push(line.slice(colon + 1).trim())
    open.set(name, values)
  }
  return groups
}

export function firstField(fields: Fields, name: string): string | null {
  return fields.get(name)?.[0] ?? null
}

/** Returns the address in `rfc822; ada@example.com`, `Ada <ada@example.com> (home)` or `ada@example.com`. */
export function addressIn(value: string | null): string | null {
  const address = value?.replace(/^[^;@<]*;/, '').trim()
  return (address && (/<([^<>]*)>/.exec(address)?.[1] ?? address.replace(/^<|>$/g, '')).trim()) || null
}

/** Skips comments before a value, such as `(sorry) failed`. */
export function withoutComments(value: string): string {
  return value.replace(/^(?:\([^()]*\)\s*)*/, '')
}

/**
 * Makes another server's text fit to store and show: at most 500 characters, without control characters and lone
 * surrogates.
 */
export function shown(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()
}
