export type StoredKeysTable = {
  id: string
  /** The purpose for which the keyring signs with it. */
  name: string
  /** Encrypted; 32 bytes in base64url. */
  key: string
  created_at: Date
}
