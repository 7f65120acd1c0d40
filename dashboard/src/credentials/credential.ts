import type { RowOf } from '../api/request.ts'

export type CredentialType = Credential['type']
export type Credential = RowOf<'/v1/credentials'>

export const typeNames: Record<CredentialType, string> = {
  bearer: 'Bearer token',
  basic: 'Basic',
  header: 'Header',
}
