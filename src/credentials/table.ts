declare module '../database.ts' {
  interface Database {
    credentials: {
      team_id: string
      id: string
      name: string
      type: CredentialType
      /** Encrypted. */
      secret: string
      /** Null allows any host. */
      allowed_hosts: string[] | null
      created_at: Date
    }
  }
}

export type CredentialType = 'bearer' | 'basic' | 'header'
