/** Whether what is published says what a record asks for, as a person would judge: case, blanks and dots aside. */

/** `texts` are TXT records, their strings joined. RFC 6376 3.6.1: tags in any order, blanks anywhere in the key. */
export function hasDkimKey(texts: string[], wanted: string): boolean {
  const key = dkimTags(wanted).get('p')
  return texts.some((text) => {
    const tags = dkimTags(text)
    return tags.get('p') === key && (tags.get('k') ?? 'rsa') === 'rsa' && (tags.get('v') ?? 'DKIM1') === 'DKIM1'
  })
}

/** The key that a DKIM record publishes; null where it is another record, or says that its key is revoked. */
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

/** RFC 7208 4.5: two SPF records are an error, and then none counts; what stands after `all` is never reached. */
export function hasSpfMechanism(texts: string[], wanted: string): boolean {
  const records = texts.map((text) => text.toLowerCase().trim()).filter((text) => /^v=spf1(\s|$)/.test(text))
  const [, ...terms] = records[0]?.split(/\s+/) ?? []
  const end = terms.findIndex((term) => /^[-+~?]?all$/.test(term))
  const reached = end === -1 ? terms : terms.slice(0, end)
  const [, mechanism = ''] = wanted.toLowerCase().split(' ')
  return records.length === 1 && reached.some((term) => term.replace(/^\+/, '').replace(/\.$/, '') === mechanism)
}

export function hasHost(hosts: string[], wanted: string): boolean {
  return hosts.some((host) => plainHost(host) === plainHost(wanted))
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
