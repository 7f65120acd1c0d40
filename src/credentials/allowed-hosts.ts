import { type FieldError, invalidFields } from '../platform/errors.ts'

/** The form of an entry: `api.example.com`, `*.example.com` or `[2001:db8::1]`, with or without a port. */
const form = /^(\*\.)?([^\s/\\?#@:*[\]%]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i

type Host = { below: boolean; name: string; port: string | null }

/**
 * Normalizes hosts to lower case and punycode and removes duplicates. Throws `invalid`, naming every entry that is not
 * a host.
 */
export function readAllowedHosts(given: readonly string[]): string[] {
  const hosts = given.map(parseHost)
  const faults = hosts.flatMap((host, index): FieldError[] => {
    const message = 'must be a host such as api.example.com, *.example.com or api.example.com:8443'
    return host ? [] : [{ path: `allowedHosts[${index}]`, message }]
  })
  if (faults.length > 0) throw invalidFields(faults)
  return [...new Set(hosts.map((host) => textOf(host!)))]
}

/**
 * Tells whether the URL's host is allowed. An entry without a port allows every port; `*.` stands for at least one
 * label.
 */
export function isAllowedHost(url: string, allowed: readonly string[]): boolean {
  const { hostname, port, protocol } = new URL(url)
  const name = withoutDot(hostname)
  const actualPort = port || (protocol === 'https:' ? '443' : '80')
  return allowed.some((text) => {
    const host = parseHost(text)
    if (!host || (host.port !== null && host.port !== actualPort)) return false
    return host.below ? name.endsWith(`.${host.name}`) : name === host.name
  })
}

function parseHost(text: string): Host | null {
  const [, below, written = '', port = null] = form.exec(text.trim()) ?? []
  if (written === '' || !URL.canParse(`https://${written}`)) return null
  if (port !== null && (Number(port) < 1 || Number(port) > 65_535)) return null
  const name = withoutDot(new URL(`https://${written}`).hostname)
  const isAddress = /^\[|^[\d.]+$/.test(name)
  if (name === '' || (below && isAddress)) return null
  return { below: below !== undefined, name, port: port === null ? null : String(Number(port)) }
}

function textOf({ below, name, port }: Host): string {
  return `${below ? '*.' : ''}${name}${port === null ? '' : `:${port}`}`
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '')
}
