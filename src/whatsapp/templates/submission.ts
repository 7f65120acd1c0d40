import type { App, Tx } from '../../context.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { WhatsappSubmissionAnswer } from '../provider.ts'
import { templateColumns } from './queries.ts'
import { editable, lockedTemplate } from './rules.ts'

export type Submission = Awaited<ReturnType<typeof claim>>

/** Longer than a provider takes to answer; a submission whose process died ends by itself. */
const submissionMs = 60_000

/**
 * From here until its end the template is locked, and its name in the account is its own. Throws `conflict` where its status
 * does not allow that, or the name is another template's.
 */
export async function beginSubmission(app: App, teamId: string, id: string, wabaId: string | null) {
  try {
    return await app.transaction((tx) => claim(tx, teamId, id, wabaId, app.whatsappProvider.name !== 'capture'))
  } catch (error) {
    // Only the index can tell: teams may share an account, and two may hand one name in this very moment.
    if ((error as { constraint?: string }).constraint !== 'whatsapp_templates_account') throw error
    throw conflict(
      'Another template of this WhatsApp Business Account has that name in that language. Make one of another name.',
    )
  }
}

async function claim(tx: Tx, teamId: string, id: string, wabaId: string | null, isReviewed: boolean) {
  const before = await tx.db
    .selectFrom('whatsapp_templates')
    .select(['status', 'submission_ends_at', 'waba_id', 'provider_ref'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw notFound('WhatsApp template')
  const { status, submission_ends_at: endsAt, waba_id, provider_ref } = before
  if ((endsAt !== null && endsAt > tx.now) || !editable.includes(status)) throw lockedTemplate(status, 'submitted')
  if (isReviewed && wabaId === null)
    throw conflict('The WhatsApp Business Account of a verified sender reviews templates. Verify a sender first.')
  const wasHandedIn = wabaId !== null && waba_id === wabaId
  const submissionId = tx.newId()
  const template = await tx.db
    .updateTable('whatsapp_templates')
    .set({
      ...{ submission_id: submissionId, submission_ends_at: new Date(tx.now.getTime() + submissionMs) },
      // What `capture` takes is in no account.
      ...(isReviewed && { waba_id: wabaId, provider_ref: wasHandedIn ? provider_ref : null }),
    })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning(templateColumns)
    .executeTakeFirstOrThrow()
  return { submissionId, template, wabaId, wasHandedIn, before: { waba_id, provider_ref } }
}

/**
 * Where the review came faster than the answer to the submission, its verdict stands (`apply-reviews.ts` has ended the
 * submission) and only the provider's name for the template is new.
 */
export function endSubmission(
  app: App,
  teamId: string,
  { submissionId, template: { id }, before }: Submission,
  answer: WhatsappSubmissionAnswer,
): Promise<void> {
  return app.transaction(async (tx) => {
    const template = tx.db.updateTable('whatsapp_templates').where('team_id', '=', teamId).where('id', '=', id)
    const ended = await template
      .set({ ...outcomeOf(answer, before, tx.now), submission_id: null, submission_ends_at: null })
      .where('submission_id', '=', submissionId)
      .returning('id')
      .executeTakeFirst()
    if (ended || answer.kind !== 'submitted') return
    await template.set({ provider_ref: answer.providerRef }).where('provider_ref', 'is', null).execute()
  })
}

/** What was not taken is in the account only if it was there before; what may have been keeps its name there. */
function outcomeOf(answer: WhatsappSubmissionAnswer, before: Submission['before'], now: Date) {
  if (answer.kind === 'unknown') return {}
  if (answer.kind === 'unavailable') return before
  if (answer.kind === 'refused')
    return { ...before, status: 'rejected' as const, rejection_reason: answer.message, updated_at: now }
  const { providerRef: provider_ref } = answer
  return { provider_ref, status: 'submitted' as const, rejection_reason: null, updated_at: now }
}
