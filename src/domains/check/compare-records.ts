/** Comparisons of published records with required ones. They ignore case, blanks and dots at the end. */

/**
 * `texts` are TXT records with their strings joined. Tags may be in any order, and the key may hold blanks (RFC 6376
 * 3.6.1).
 */
export function hasDkimKey(texts: string[], wanted: string): boolean {
  const key = dkimTags(wanted).get('p')
  return texts.some((text) => {
    const tags = dkimTags(text)
    return tags.get('p') === key && (tags.get('k') ?? 'rsa') === 'rsa' && (tags.get('v') ?? 'DKIM1') === 'DKIM1'
  })
}

/** The key that a DKIM record publishes; null for another record or a revoked key. */
export function dkimKeyIn(text: string): string | null {
  return dkimTags(text).get('p') || null
}

function dkimTags(text: string): Map<string, string> {
  const tags = text.split(';').map((tag) => {
    const equals = tag.indexOf('=')
    return [tag.slice(0, Math.max(equals, 0)).trim(), tag.slice(equals + 1).replace(/\s/g, '')] as const
  })
  return new Map(tags)
}

/**
 * True if the only SPF record has every mechanism of `wanted` before its `all`. With two records none counts (RFC 7208
 * 4.5), and mechanisms behind `all` are never reached.
 */
export function hasSpfMechanisms(texts: string[], wanted: string): boolean {
  const records = texts.map((text) => text.toLowerCase().trim()).filter((text) => /^v=spf1(\s|$)/.test(text))
  const [, ...terms] = records[0]?.split(/\s+/) ?? []
  const end = terms.findIndex((term) => /^[-+~?]?all$/.test(term))
  const reached = end === -1 ? terms : terms.slice(0, end)
  const plain = reached.map((term) => term.replace(/^\+/, '').replace(/\.$/, ''))
  const mechanisms = wanted.toLowerCase().split(' ').slice(1, -1)
  return records.length === 1 && mechanisms.every((mechanism) => plain.includes(mechanism))
}

export function hasHost(hosts: string[], wanted: string): boolean {
  return hosts.some((host) => plainHost(host) === plainHost(wanted))
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
