import { isAllowedHost } from '../../credentials/allowed-hosts.ts'
import { findCredentialSecret } from '../../credentials/queries.ts'
import type { CredentialSecret } from '../../credentials/secret.ts'
import { invalid, unavailable } from '../../platform/errors.ts'
import type { Turn } from '../nodes/node.ts'

type AuthConfig = {
  url: string
  auth_type?: 'none' | CredentialSecret['type']
  auth_header_name?: string
  credential_id?: string
}

/** `secrets`: texts to remove from everything that is kept of the call. */
type Authorization = { headers: Record<string, string>; secrets: string[] }

/**
 * Makes the headers of a credential. Throws `unavailable` for an unknown one, which the next attempt may find, and
 * `invalid` if it has another type or may not be sent to this host.
 */
export async function authorize({ app, teamId }: Turn, config: AuthConfig): Promise<Authorization> {
  const { auth_type: type = 'none', auth_header_name: name, credential_id: id = '' } = config
  if (type === 'none') return { headers: {}, secrets: [] }
  const credential = await findCredentialSecret(app, teamId, id)
  if (!credential) {
    throw unavailable(`credential_id: ${JSON.stringify(id.slice(0, 80))} is not a credential of this team`)
  }
  if (credential.type !== type) {
    throw invalid('credential_id', `is a ${credential.type} credential, and auth_type is ${type}. Make them the same.`)
  }
  const { allowedHosts } = credential
  if (allowedHosts && !isAllowedHost(config.url, allowedHosts)) {
    throw invalid('credential_id', hostNotAllowed(config.url, allowedHosts))
  }
  return headerOf(credential, name ?? 'Authorization')
}

export function hostNotAllowed(url: string, allowed: string[]): string {
  return `is a credential for ${allowed.join(', ')} alone, and the URL leads to ${new URL(url).host}`
}

function headerOf(credential: CredentialSecret, name: string): Authorization {
  if (credential.type === 'header') {
    const { value } = credential.secret
    return { headers: { [name]: value }, secrets: [value] }
  }
  if (credential.type === 'bearer') {
    const { token } = credential.secret
    return { headers: { Authorization: `Bearer ${token}` }, secrets: [token] }
  }
  const { username, password } = credential.secret
  const encoded = Buffer.from(`${username}:${password}`).toString('base64')
  return { headers: { Authorization: `Basic ${encoded}` }, secrets: [encoded, password] }
}
