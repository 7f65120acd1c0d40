declare module '../../database.ts' {
  interface Database {
    stored_keys: {
      id: string
      /** The purpose of the key in the keyring. */
      name: string
      /** Encrypted; 32 bytes in base64url. */
      key: string
      created_at: Date
    }
  }
}
