import type { App, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict, notFound, orNotFound, providerFailed } from '../../platform/errors.ts'
import { askUnderLease } from '../../platform/jobs/ask-under-lease.ts'
import { enqueueHeldJobs } from '../../platform/jobs/enqueue.ts'
import { defineJob, LeaseLost } from '../../platform/jobs/job.ts'
import { findJobKeys } from '../../platform/jobs/waiting-jobs.ts'
import { type SubmitTemplateJob, submitTemplateJob } from '../jobs.ts'
import type { WhatsappSubmissionAnswer } from '../provider.ts'
import { findReviewingAccount } from '../senders/queries.ts'
import { findTemplate } from './queries.ts'
import { editable, lockedTemplate } from './rules.ts'

/**
 * Submits a template for review: submitted, or rejected if the provider refuses it at once. Throws `conflict` if its
 * status does not allow that or the account has another template of its name, and `providerFailed` if the provider is
 * out of reach; then the template does not change.
 */
export async function submitTemplate(app: App, teamId: string, id: string) {
  const account = await findReviewingAccount(app.db, teamId)
  const job = await begin(app, teamId, id, account?.wabaId ?? null)
  const answer = await submit(app, job)
  if (answer?.kind === 'unavailable' || answer?.kind === 'unknown')
    throw providerFailed(`${answer.message} The template is as it was; the request can be repeated.`)
  return orNotFound('WhatsApp template', findTemplate(app.db, teamId, id))
}

/** Finishes the submission of a request whose process died. Submitting again is safe. */
export const finishSubmission = defineJob(submitTemplateJob, {
  atRestore: 'discard',
  concurrency: 4,
  retryDelaysMs: [5000, 30_000, 2 * 60_000, 10 * 60_000],
  async run(app, job) {
    await submit(app, job)
    return 'recorded'
  },
})

/**
 * Begins a submission. While its job exists the template cannot be changed, and its name in the account belongs to it.
 */
async function begin(app: App, teamId: string, id: string, wabaId: string | null): Promise<SubmitTemplateJob> {
  try {
    return await app.transaction((tx) => claim(tx, teamId, id, wabaId, app.providers.whatsapp.live.name !== 'capture'))
  } catch (error) {
    // Only the index is exact: teams may share an account, and two may submit one name at the same time.
    if ((error as { constraint?: string }).constraint !== 'whatsapp_templates_account') throw error
    throw conflict(
      'Another template of this WhatsApp Business Account has that name in that language. Make one of another name.',
    )
  }
}

async function claim(
  tx: Tx,
  teamId: string,
  id: string,
  wabaId: string | null,
  isReviewed: boolean,
): Promise<SubmitTemplateJob> {
  const before = await tx.db
    .selectFrom('whatsapp_templates')
    .select(['name', 'status', 'waba_id', 'provider_ref'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('WhatsApp template'))
  const { name, status, waba_id, provider_ref } = before
  if (!editable.includes(status) || (await isSubmitting(tx, id))) throw lockedTemplate(status, 'submitted')
  if (isReviewed && wabaId === null)
    throw conflict('The WhatsApp Business Account of a verified sender reviews templates. Verify a sender first.')
  const wasHandedIn = wabaId !== null && waba_id === wabaId
  // Templates that `capture` accepts have no account.
  if (isReviewed)
    await tx.db
      .updateTable('whatsapp_templates')
      .set({ waba_id: wabaId, provider_ref: wasHandedIn ? provider_ref : null })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .execute()
  const payload = { wabaId, wasHandedIn, before: { waba_id, provider_ref } }
  const [job] = await enqueueHeldJobs(tx, submitTemplateJob, [{ teamId, key: id, payload }])
  const target = { type: 'whatsapp_template', id, name }
  await recordChange(tx, { teamId, action: 'whatsapp_template.submitted', target })
  return job!
}

/** Tells whether the template is being submitted. Its row must be locked. */
export async function isSubmitting(tx: Tx, id: string): Promise<boolean> {
  return (await findJobKeys(tx.db, submitTemplateJob, [id])).size > 0
}

/**
 * Submits the template. Null if it was deleted, or if a review that arrived before the answer has ended the submission.
 */
async function submit(app: App, job: SubmitTemplateJob): Promise<WhatsappSubmissionAnswer | null> {
  let answer: WhatsappSubmissionAnswer | null = null
  try {
    await askUnderLease(
      app,
      job,
      async () => {
        answer = await askProvider(app, job)
        return answer
      },
      (tx, its) => record(tx, job, its),
    )
    return answer
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    await recordReference(app, job, answer)
    return null
  }
}

/** Asks the provider. Without an account, which only `capture` allows, every template is accepted. */
async function askProvider(app: App, job: SubmitTemplateJob): Promise<WhatsappSubmissionAnswer | null> {
  const { wabaId, wasHandedIn } = job.payload
  const template = await findTemplate(app.db, job.teamId, job.key)
  if (!template) return null
  if (wabaId === null) return { kind: 'submitted', providerRef: null }
  const { id: templateId, name, language, category, body, variableCount, components, providerRef } = template
  return app.providers.whatsapp.live.submitTemplate({
    teamId: job.teamId,
    templateId,
    wabaId,
    // The process that died may have submitted it.
    wasHandedIn: wasHandedIn || job.attempts > 1,
    name,
    language,
    category,
    body,
    variableCount,
    components,
    providerRef,
  })
}

async function record(
  tx: Tx,
  { teamId, key, payload }: SubmitTemplateJob,
  answer: WhatsappSubmissionAnswer | null,
): Promise<void> {
  const outcome = answer && outcomeOf(answer, payload.before, tx.now)
  if (!outcome) return
  await tx.db
    .updateTable('whatsapp_templates')
    .set(outcome)
    .where('team_id', '=', teamId)
    .where('id', '=', key)
    .execute()
}

/**
 * Returns the columns to write. A template that was not accepted is in the account only if it was there before. Null if
 * the outcome is unknown: the template then keeps its name in the account.
 */
function outcomeOf(answer: WhatsappSubmissionAnswer, before: SubmitTemplateJob['payload']['before'], now: Date) {
  if (answer.kind === 'unknown') return null
  if (answer.kind === 'unavailable') return before
  if (answer.kind === 'refused')
    return { ...before, status: 'rejected' as const, rejection_reason: answer.message, updated_at: now }
  const { providerRef: provider_ref } = answer
  return { provider_ref, status: 'submitted' as const, rejection_reason: null, updated_at: now }
}

/** Records only the provider's reference if a review arrived before the answer; the review's verdict stays. */
async function recordReference(
  app: App,
  { teamId, key }: SubmitTemplateJob,
  answer: WhatsappSubmissionAnswer | null,
): Promise<void> {
  if (answer?.kind !== 'submitted') return
  const { providerRef } = answer
  await app.transaction((tx) =>
    tx.db
      .updateTable('whatsapp_templates')
      .set({ provider_ref: providerRef })
      .where('team_id', '=', teamId)
      .where('id', '=', key)
      .where('provider_ref', 'is', null)
      .execute(),
  )
}
