import type { App, Caller } from '../../context.ts'
import { requestKey } from '../../platform/idempotency/keys.ts'
import { sendOnce } from '../messages/send.ts'
import { identityOf } from './identity.ts'
import { readSubmission, type Submission } from './read.ts'

const endpoint = 'SMTP'

/** Sends a complete message under the rules of `sendEmail`, and throws the same errors. Returns the email's id. */
export async function submitMessage(app: App, caller: Caller, submission: Submission): Promise<string> {
  const read = readSubmission(submission)
  const { command, idempotencyKey } = read
  const identity = idempotencyKey === null ? null : identityOf(read)
  const key = requestKey(caller.teamId, endpoint, idempotencyKey, identity)
  const { id } = await sendOnce(app, caller, command.from, key, async () => command)
  return id
}
