import { readWhenChanged } from './read-when-changed.ts'

/** As many as glibc uses. */
const domainsMax = 6

/**
 * Returns the domains that the system's settings append to short names, such as names of services in a cluster. Empty
 * without the file.
 */
export const readSearch: () => Promise<string[]> = readWhenChanged('/etc/resolv.conf', parseSearch)

/** The last `search` or `domain` line counts. */
export function parseSearch(text: string): string[] {
  const lines = [...text.matchAll(/^[ \t]*(?:search|domain)[ \t]+(.*)$/gm)]
  const domains = lines.at(-1)?.[1]?.trim().split(/\s+/) ?? []
  return domains
    .map((domain) => domain.replace(/\.$/, ''))
    .filter((domain) => domain !== '')
    .slice(0, domainsMax)
}
