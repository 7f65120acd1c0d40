import type { Tx } from '../../../context.ts'
import { deleteRequestKeys, type RequestKey } from '../../../platform/idempotency/keys.ts'
import { deleteJob } from '../../../platform/jobs/claim.ts'
import { forgetMessage, lockConversation } from '../../conversations/take-back.ts'
import { sendKind } from '../dispatch/deliver-kind.ts'
import type { AcceptedMessage } from './accept.ts'

/** Undoes an acceptance, as if it had never been asked: no row, no job, no key, no conversation begun by it. */
export async function withdraw(tx: Tx, message: AcceptedMessage, key: RequestKey | null): Promise<void> {
  const { teamId, id, conversationId } = message
  const conversation = { teamId, id: conversationId }
  await lockConversation(tx, conversation)
  await tx.db.deleteFrom('whatsapp_messages').where('team_id', '=', teamId).where('id', '=', id).execute()
  await forgetMessage(tx, conversation)
  await deleteJob(tx, sendKind, id)
  if (key) await deleteRequestKeys(tx, [key])
}
