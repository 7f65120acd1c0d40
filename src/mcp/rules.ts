import Type, { type Static } from 'typebox'
import { mailboxFault, parseMailbox } from '../emails/mailbox.ts'
import { invalid } from '../platform/errors.ts'
import { Strict } from '../platform/http/schema/schema.ts'
import { domainOf, isAddress, normalizeAddress } from '../platform/text/mail-address.ts'
import type { Toolset } from './tool.ts'
import { toolsets } from './tools.ts'

const named = [...toolsets, 'all'].join(', ')

export const RulesQuery = Strict({
  read_only: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
  toolsets: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: `Separated by commas: ${named}.` })),
  from: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  allow_to: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
})
export type RulesQuery = Static<typeof RulesQuery>

/** The limits that a connection sets itself, in addition to those of its key. */
export type Rules = {
  readOnly: boolean
  toolsets: ReadonlySet<Toolset>
  /** The only sender, as it was given. Null for any. */
  from: string | null
  /** The only recipients: addresses and domains in the form in which they are compared. Null for any. */
  allowTo: { addresses: ReadonlySet<string>; domains: ReadonlySet<string> } | null
}

/**
 * Reads the rules of a connection. Throws `invalid` for what it does not know, so that a misspelt rule opens nothing.
 */
export function readRules({ read_only, toolsets: sets, from, allow_to }: RulesQuery): Rules {
  return {
    readOnly: read_only === 'true',
    toolsets: new Set<Toolset>(['default', ...(sets === undefined ? [] : readToolsets(sets))]),
    from: from === undefined ? null : readSender(from),
    allowTo: allow_to === undefined ? null : readAllowed(allow_to),
  }
}

function readToolsets(text: string): Toolset[] {
  return listOf(text).flatMap((name) => {
    if (name === 'all') return toolsets
    const known = toolsets.find((toolset) => toolset === name)
    if (!known) throw invalid('toolsets', `there is no "${name.slice(0, 50)}"; there are ${named}`)
    return known
  })
}

function readSender(text: string): string {
  const fault = mailboxFault(text)
  if (fault !== null) throw invalid('from', fault)
  return text
}

function readAllowed(text: string): NonNullable<Rules['allowTo']> {
  const [addresses, domains] = [new Set<string>(), new Set<string>()]
  for (const entry of listOf(text)) {
    const isDomain = entry.startsWith('*@')
    if (!isAddress(isDomain ? `any${entry.slice(1)}` : entry)) {
      throw invalid('allow_to', `"${entry.slice(0, 100)}" is neither an address nor *@ with a domain`)
    }
    if (isDomain) domains.add(domainOf(entry))
    else addresses.add(normalizeAddress(entry))
  }
  return { addresses, domains }
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

/** Tells whether a recipient, with or without a name, is among the allowed ones. Compares addresses as sending does. */
export function isAllowed({ addresses, domains }: NonNullable<Rules['allowTo']>, recipient: string): boolean {
  const address = parseMailbox(recipient)?.address
  return address !== undefined && (addresses.has(normalizeAddress(address)) || domains.has(domainOf(address)))
}

export function isSameSender(one: string, other: unknown): boolean {
  const given = typeof other === 'string' ? parseMailbox(other)?.address : undefined
  return given !== undefined && normalizeAddress(given) === normalizeAddress(parseMailbox(one)!.address)
}
