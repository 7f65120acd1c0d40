import Type, { type Static } from 'typebox'
import { invalidFields } from '../../platform/errors.ts'
import { Strict, TextEnum } from '../../platform/http/schema/schema.ts'
import { type ConfigFault, type Draft, idOf } from '../nodes/node.ts'
import { becameInvalid, type ValueFault } from '../placeholders/became.ts'
import { hasPlaceholder } from '../placeholders/fill.ts'
import { headerNameFault, headerValueFault } from './headers.ts'
import { isSecretHeader } from './hide.ts'
import { hasLiteralAuthority, urlConfigFault, urlFault } from './url.ts'

export const RequestConfig = Strict({
  url: Type.String({
    minLength: 1,
    title: 'URL',
    description:
      'Absolute, http:// or https://. Values in the path and the query are percent-encoded. With an authentication, scheme, host and port are written out.',
    examples: ['https://api.example.com/orders/{{trigger.body.id}}'],
  }),
  method: TextEnum('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      maxProperties: 50,
      title: 'Headers',
      description: 'The authentication below replaces a header of the same name.',
      examples: [{ Accept: 'application/json' }],
    }),
  ),
  body: Type.Optional(
    Type.String({
      title: 'Body',
      description:
        'Not sent with GET and DELETE. In a JSON body, values are escaped inside of texts, and are JSON outside of them. With the Content-Type of a form they are percent-encoded, with one of XML escaped.',
      examples: ['{"email": "{{trigger.contact.email}}"}'],
      contentMediaType: 'text/plain',
    }),
  ),
  auth_type: Type.Optional(
    Type.Unsafe<'none' | 'bearer' | 'basic' | 'header'>({
      ...TextEnum('none', 'bearer', 'basic', 'header'),
      default: 'none',
      title: 'Authentication',
    }),
  ),
  auth_header_name: Type.Optional(
    Type.String({
      title: 'Header',
      description: 'The name of the header, if the authentication is header.',
      examples: ['X-Api-Key'],
    }),
  ),
  credential_id: Type.Optional(
    Type.String({
      ...idOf('credentials'),
      title: 'Credential',
      description: 'The id of a credential of the team, of the same type as the authentication.',
    }),
  ),
})
export type RequestConfig = Static<typeof RequestConfig>

/** Finds the faults that are known before placeholders are filled. */
export function configFaults(config: Draft<RequestConfig>): ConfigFault[] {
  const url = config.url === undefined ? null : urlConfigFault(config.url)
  const known = valueFaults(config).filter(({ value }) => !hasPlaceholder(value))
  const urlFaults = url ? [{ path: 'url', message: url }] : openTargetFaults(config)
  return [...urlFaults, ...nameFaults(config), ...sizeFaults(config), ...known, ...authFaults(config)]
}

/** Throws `invalid` if a placeholder would choose the credential, or the host that it is sent to. */
export function refuseOpenTarget(config: RequestConfig): void {
  const faults = [...openTargetFaults(config), ...authFaults(config)]
  if (faults.length > 0) throw invalidFields(faults)
}

/** Throws `invalid` if filled values cannot be sent. */
export function refuseValues(input: RequestConfig): void {
  const url = urlFault(input.url)
  const faults = [
    ...(url ? [{ path: 'url', value: input.url, message: url }] : []),
    ...valueFaults(input).map(hideSecret),
  ]
  if (faults.length > 0) throw becameInvalid(...faults)
  const tooLarge = sizeFaults(input)
  if (tooLarge.length > 0) throw invalidFields(tooLarge)
}

/** The names and values of all headers, in bytes, since they are Latin-1. Many servers take no more. */
const headersMaxBytes = 16 * 1024

/** Counts no value with a placeholder, which may become shorter. */
function sizeFaults({ headers = {} }: Draft<RequestConfig>): ConfigFault[] {
  const size = Object.entries(headers).reduce((sum, [name, value = '']) => {
    return sum + name.length + (hasPlaceholder(value) ? 0 : value.length)
  }, 0)
  if (size <= headersMaxBytes) return []
  return [
    {
      path: 'headers',
      message: `must be at most ${headersMaxBytes} bytes together, names and values; they are ${size}`,
    },
  ]
}

function hideSecret(fault: ValueFault): ValueFault {
  const [, header] = /^headers\.(.*)$/s.exec(fault.path) ?? []
  return header !== undefined && isSecretHeader(header) ? { ...fault, value: '[hidden]' } : fault
}

/** Names of headers have no placeholders. */
function nameFaults({ headers = {} }: Draft<RequestConfig>): ConfigFault[] {
  return Object.keys(headers).flatMap((name) => {
    const message = headerNameFault(name)
    return message ? [{ path: pathOf(name), message }] : []
  })
}

function valueFaults({ headers = {}, auth_type, auth_header_name: name = '' }: Draft<RequestConfig>) {
  const faults: (Omit<ValueFault, 'value'> & { value: string })[] = []
  for (const [header, value] of Object.entries(headers)) {
    const message = value === undefined ? null : headerValueFault(value)
    if (message) faults.push({ path: pathOf(header), value: value!, message })
  }
  const message = auth_type === 'header' ? headerNameFault(name) : null
  if (message) faults.push({ path: 'auth_header_name', value: name, message })
  return faults
}

function pathOf(header: string): string {
  return `headers.${header.slice(0, 80).toWellFormed()}`
}

function authFaults({ auth_type: type = 'none', credential_id }: Draft<RequestConfig>): ConfigFault[] {
  if (type === 'none') return []
  if (!credential_id) return [{ path: 'credential_id', message: `is required where auth_type is ${type}` }]
  if (!hasPlaceholder(credential_id)) return []
  return [{ path: 'credential_id', message: 'must be the id of a credential, not a placeholder' }]
}

/** Finds placeholders in the parts of a well-formed URL that say where a credential is sent. */
function openTargetFaults({ url, auth_type: type = 'none' }: Draft<RequestConfig>): ConfigFault[] {
  if (type === 'none' || url === undefined || hasLiteralAuthority(url)) return []
  const message = 'must begin with a scheme and a host that are written out where auth_type is not none'
  return [{ path: 'url', message: `${message}: only the path and the query can have placeholders` }]
}
