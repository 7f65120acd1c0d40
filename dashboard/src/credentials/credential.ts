export const credentialsPath = '/v1/credentials'

export type CredentialType = 'bearer' | 'basic' | 'header'
export type Credential = {
  id: string
  name: string
  type: CredentialType
  allowedHosts?: string[]
  createdAt: string
}

export const typeNames: Record<CredentialType, string> = {
  bearer: 'Bearer token',
  basic: 'Basic',
  header: 'Header',
}
