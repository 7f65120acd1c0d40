import type { App } from '../../context.ts'
import { subjectMax } from '../../emails/bounds.ts'
import { parseEmail, renderCommand } from '../../emails/messages/accept/parse.ts'
import type { EmailCommand } from '../../emails/messages/email.ts'
import { sendOnce } from '../../emails/messages/send.ts'
import type { Email, SendEmailBody } from '../../emails/schema.ts'
import { DomainError, invalid } from '../../platform/errors.ts'
import type { Turn } from '../nodes/node.ts'
import { becameInvalid } from '../placeholders/became.ts'
import { refuseUnstorable } from '../placeholders/storable.ts'
import { teamCaller } from '../team-caller.ts'
import type { SendEmailConfig } from './config.ts'
import { addressFaults } from './recipients.ts'

/**
 * Sends the email of a turn. It has the turn's id, so there is never a second one. Past the emails per second of the
 * plan it is scheduled for now, and goes out when the limit allows it. Throws as `sendEmail` does.
 */
export async function sendOnBehalf({ app, teamId, workflowId, id }: Turn, input: SendEmailConfig): Promise<Email> {
  refuseFaults(input)
  const caller = await teamCaller(app, teamId)
  const command = { ...(await readCommand(app, teamId, input)), id, workflowId }
  const send = (whole: EmailCommand) => sendOnce(app, caller, input.from, null, async () => whole)
  try {
    return await send(command)
  } catch (error) {
    if (!isPerSecond(error)) throw error
    return send({ ...command, scheduledAt: app.clock.now() })
  }
}

function refuseFaults(input: SendEmailConfig): void {
  const faults = addressFaults(input)
  if (faults.length > 0) throw becameInvalid(...faults)
  refuseUnstorable(input)
  if (input.to.length === 0) throw invalid('to', 'must be at least one address; it became an empty list')
  const { length } = input.subject
  if (length > subjectMax) throw invalid('subject', `must be at most ${subjectMax} characters; it became ${length}`)
}

/** The texts are filled already; only the template's texts still have variables. */
async function readCommand(app: App, teamId: string, input: SendEmailConfig): Promise<EmailCommand> {
  const { from, to, subject, html, text, reply_to, template_id, template_variables } = input
  const body: SendEmailBody = {
    from,
    to: [to].flat(),
    subject,
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    ...(reply_to !== undefined && { replyTo: reply_to }),
    ...(template_id !== undefined && { templateId: template_id }),
    // Without variables the texts of the template still have fallbacks.
    ...(template_id !== undefined && { templateVariables: template_variables ?? {} }),
  }
  const written = parseEmail(body, app.clock.now())
  const template = await renderCommand(app.db, teamId, body, { ...written, subject: '', html: null, text: null })
  return { ...template, subject, html: written.html ?? template.html, text: written.text ?? template.text }
}

/** True for the limit per second. The limit per day has another body. */
function isPerSecond(error: unknown): boolean {
  return error instanceof DomainError && error.details.name === 'rate_limit_exceeded'
}
