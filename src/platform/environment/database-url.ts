import type { Parser } from './parsers.ts'

/**
 * The URL of a PostgreSQL. A password with a character that ends a part of a URL would be read as a part of the host,
 * which an error message then shows, so such a URL is refused. An `@` alone does no harm: the last one before the host
 * counts.
 */
export const databaseUrl: Parser<string> = {
  must: 'postgres://user:pass@host:port/database with / ? # % in user and password percent-encoded (%2F %3F %23 %25)',
  secret: true,
  parse: (value) => (isWhole(value) ? withoutAliases(value) : undefined),
}

function isWhole(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, pathname, search, hash } = new URL(value)
  if (!['postgres:', 'postgresql:'].includes(protocol) || hash !== '' || pathname.includes('@')) return false
  return !/^\?[^=]*@/.test(search) && isDecodable(username) && isDecodable(password)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The driver takes these modes as `verify-full`, and warns in ten lines that a later version will check less. */
function withoutAliases(value: string): string {
  if (/[?&]uselibpqcompat=true/.test(value)) return value
  return value.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
