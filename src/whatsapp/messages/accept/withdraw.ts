import type { Tx } from '../../../context.ts'
import { deleteRequestKeys, type RequestKey } from '../../../platform/idempotency/keys.ts'
import { deleteJob } from '../../../platform/jobs/waiting-jobs.ts'
import { forgetMessage, lockConversation } from '../../conversations/take-back.ts'
import { deliverWhatsappJob } from '../../jobs.ts'
import type { AcceptedWhatsapp } from './accepted.ts'

/** Removes an accepted message that was not sent, with its job, its key, and the conversation that it began. */
export async function withdrawWhatsapp(tx: Tx, message: AcceptedWhatsapp, key: RequestKey | null): Promise<void> {
  const { teamId, id, conversationId } = message
  const conversation = { teamId, id: conversationId }
  await lockConversation(tx, conversation)
  await tx.db.deleteFrom('whatsapp_messages').where('team_id', '=', teamId).where('id', '=', id).execute()
  await forgetMessage(tx, conversation)
  await deleteJob(tx, deliverWhatsappJob, id)
  await deleteRequestKeys(tx, [key])
}
