import type { Tx } from '../../context.ts'
import { insertRows } from '../../platform/insert-rows.ts'
import type { AcceptedEmail } from './accept.ts'

/** Writes accepted emails with their bodies; those of now are being dispatched from the first moment. */
export async function insertEmails(tx: Tx, emails: AcceptedEmail[]): Promise<void> {
  await insertRows(tx.db, 'emails', emails.map(emailRow))
  await insertRows(
    tx.db,
    'email_contents',
    emails.map(({ teamId, id, command }) => ({
      team_id: teamId,
      email_id: id,
      html: command.html,
      text: command.text,
    })),
  )
  for (const email of emails) await insertAttachments(tx, email)
}

function emailRow({ id, teamId, command, domain, createdAt }: AcceptedEmail) {
  return {
    team_id: teamId,
    id,
    domain_id: domain.id,
    domain_name: domain.name,
    from_address: command.from,
    to_addresses: command.to,
    cc_addresses: command.cc,
    bcc_addresses: command.bcc,
    reply_to: command.replyTo,
    subject: command.subject,
    status: 'scheduled' as const,
    dispatching: command.scheduledAt === null,
    message_id: messageIdOf(id, domain.name),
    // Nested as it is: the rows travel as one JSON document.
    tags: command.tags as unknown as string,
    headers: command.headers as unknown as string,
    scheduled_at: command.scheduledAt,
    sent_at: null,
    created_at: createdAt,
  }
}

/** Made from the id, so that every repeat of an email carries the same one. */
export function messageIdOf(id: string, domainName: string): string {
  return `<${id}@${domainName}>`
}

/** One statement an attachment: their bytes are large, and few emails have them. */
async function insertAttachments(tx: Tx, { teamId, id, command }: AcceptedEmail): Promise<void> {
  for (const [position, attachment] of command.attachments.entries()) {
    const { filename, contentType, contentId, content } = attachment
    const row = {
      team_id: teamId,
      email_id: id,
      position,
      filename,
      content_type: contentType,
      content_id: contentId,
      content,
    }
    await tx.db.insertInto('email_attachments').values(row).execute()
  }
}
