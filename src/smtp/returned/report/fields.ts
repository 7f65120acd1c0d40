export type Fields = ReadonlyMap<string, string[]>

/**
 * Groups of `Name: value` lines as RFC 3464 (2.1) and RFC 5965 write them: like the header of a message, with blank lines
 * between groups. Names in lower case; lines that are none are skipped. What is past `groupsMax` is not read.
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
      if (values) values.push(`${values.pop()} ${line.trim()}`)
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

/** The address of `rfc822; ada@example.com`, of `<ada@example.com>`, or as it stands. */
export function addressIn(value: string | null): string | null {
  const address = value
    ?.replace(/^[^;@<]*;/, '')
    .trim()
    .replace(/^<|>$/g, '')
  return address || null
}

/** A stranger's words as they may be kept and shown: no control characters, no halves of characters, not too many. */
export function shown(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()
}
