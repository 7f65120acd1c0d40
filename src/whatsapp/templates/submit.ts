import type { App } from '../../context.ts'
import { notFound, providerFailed } from '../../platform/errors.ts'
import type { WhatsappSubmissionAnswer } from '../provider.ts'
import { findReviewingAccount } from '../senders/queries.ts'
import { findTemplate } from './queries.ts'
import { beginSubmission, endSubmission, type Submission } from './submission.ts'

/**
 * Hands a template in for review: submitted, or rejected where the provider refuses it at once. Throws `conflict` where its
 * status does not allow it or the account has another one of its name, `providerFailed` where the provider was out of reach,
 * and then it is as it was.
 */
export async function submitTemplate(app: App, teamId: string, id: string) {
  const account = await findReviewingAccount(app.db, teamId)
  const submission = await beginSubmission(app, teamId, id, account?.wabaId ?? null)
  const answer = await ask(app, teamId, submission).catch(async (error) => {
    await endSubmission(app, teamId, submission, { kind: 'unknown', message: '' })
    throw error
  })
  await endSubmission(app, teamId, submission, answer)
  if (answer.kind === 'unavailable' || answer.kind === 'unknown')
    throw providerFailed(`${answer.message} The template is as it was; the request can be repeated.`)
  const template = await findTemplate(app.db, teamId, id)
  if (!template) throw notFound('WhatsApp template')
  return template
}

/** Without an account only `capture` gets here, which takes everything. */
async function ask(app: App, teamId: string, submission: Submission): Promise<WhatsappSubmissionAnswer> {
  const { template, wabaId, wasHandedIn } = submission
  if (wabaId === null) return { kind: 'submitted', providerRef: null }
  const { id: templateId, name, language, category, body, variableCount, components, providerRef } = template
  return app.whatsappProvider.submitTemplate({
    ...{ teamId, templateId, wabaId, wasHandedIn },
    ...{ name, language, category, body, variableCount, components, providerRef },
  })
}
