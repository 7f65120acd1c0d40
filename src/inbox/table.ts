export type InboxMessagesTable = {
  team_id: string
  id: string
  email_id: string
  from_address: string
  to_addresses: string[]
  bcc_addresses: string[]
  subject: string
  raw: Buffer
  created_at: Date
}
