import { sql } from 'kysely'
import type { Tx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { deleteJobs } from '../../platform/jobs/waiting-jobs.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import type { Outcome, ReviewEvent } from '../inbound/event.ts'
import { submitTemplateJob } from '../jobs.ts'
import type { WhatsappTemplateStatus } from './table.ts'

export const verdicts = ['approved', 'rejected', 'disabled'] as const
type Verdict = (typeof verdicts)[number]

type Reviewed = {
  teamId: string
  id: string
  status: WhatsappTemplateStatus
  isSubmitting: boolean
  reason: string | null
  isMoved: boolean
}

/**
 * Applies the verdicts of reviews in order. They apply to templates of the account, and to templates without an account
 * whose team has a sender in it.
 */
export async function applyReviews(tx: Tx, reviews: ReviewEvent[]): Promise<Outcome[]> {
  if (reviews.length === 0) return []
  const { templates, byReview } = await lockReviewed(tx, reviews)
  const outcomes = reviews.map((review) => {
    const its = (byReview.get(keyOf(review)) ?? []).map((id) => move(templates.get(id)!, review))
    return its.find((outcome) => outcome === 'processed') ?? its.find((outcome) => outcome === 'duplicate') ?? 'ignored'
  })
  const moved = [...templates.values()].filter(({ isMoved }) => isMoved)
  await writeReviewed(tx, moved)
  return outcomes
}

/** Returns the same key for Meta's `en_US` and BCP 47's `en-US`; neither is case-sensitive. */
function languageKey(language: string): string {
  return language.replaceAll('_', '-').toLowerCase()
}

function keyOf({ wabaId, templateName, language, ofTeam = '' }: ReviewEvent): string {
  return JSON.stringify([wabaId, templateName, languageKey(language), ofTeam])
}

/**
 * Locks the reviewed templates. Returns them by id, and the ids for each review. Teams may share an account, in which a
 * name belongs to one template.
 */
async function lockReviewed(tx: Tx, reviews: ReviewEvent[]) {
  const unique = new Map(reviews.map((review) => [keyOf(review), review]))
  const wanted = [...unique].map(([review, { wabaId, templateName, language, ofTeam }]) => {
    return { review, wabaId, name: templateName, language: languageKey(language), ofTeam }
  })
  const { rows } = await sql<Omit<Reviewed, 'isMoved'> & { review: string }>`
    select template.team_id as "teamId", template.id, wanted.review, template.status, job.id is not null as "isSubmitting",
      rejection_reason as reason
    from ${rowsOf(wanted, { review: 'text', wabaId: 'text', name: 'text', language: 'text', ofTeam: 'uuid' }).as('wanted')}
    cross join lateral (
      select team_id, id from whatsapp_templates as had
      where had.waba_id = wanted.waba_id and had.name = wanted.name and lower(plain_i(had.language)) = wanted.language
      union
      select had.team_id, had.id
      from whatsapp_senders as sender join whatsapp_templates as had on had.team_id = sender.team_id
      where sender.waba_id = wanted.waba_id and had.waba_id is null and had.name = wanted.name
        and lower(plain_i(had.language)) = wanted.language
    ) as found
    join whatsapp_templates as template on template.team_id = found.team_id and template.id = found.id
      and template.team_id = coalesce(wanted.of_team, template.team_id)
    left join jobs as job on job.kind = ${submitTemplateJob.kind} and job.key = template.id::text
    order by template.team_id, template.id for update of template
  `.execute(tx.db)
  const templates = new Map(
    rows.map(({ review: _review, ...row }): [string, Reviewed] => [row.id, { ...row, isMoved: false }]),
  )
  const byReview = new Map<string, string[]>()
  for (const { review, id } of rows) byReview.set(review, [...(byReview.get(review) ?? []), id])
  return { templates, byReview }
}

/** Applies a verdict. A verdict on a template that is being submitted shows that it was submitted. */
function move(template: Reviewed, { status: verdict, reason }: ReviewEvent): Outcome {
  const status = template.isSubmitting ? 'submitted' : template.status
  if (status === verdict) return 'duplicate'
  if (!moves[status].includes(verdict)) return 'ignored'
  template.status = verdict
  template.isSubmitting = false
  template.reason = verdict === 'approved' ? null : (reason ?? null)
  template.isMoved = true
  return 'processed'
}

const moves: Record<WhatsappTemplateStatus, Verdict[]> = {
  draft: [],
  submitted: ['approved', 'rejected', 'disabled'],
  approved: ['disabled'],
  rejected: [],
  disabled: ['approved'],
}

async function writeReviewed(tx: Tx, templates: Reviewed[]): Promise<void> {
  if (templates.length === 0) return
  await sql`
    update whatsapp_templates as template set status = new.status, rejection_reason = new.reason, updated_at = ${tx.now}
    from ${rowsOf(templates, { teamId: 'uuid', id: 'uuid', status: 'text', reason: 'text' }).as('new')}
    where template.team_id = new.team_id and template.id = new.id
  `.execute(tx.db)
  const ids = templates.map(({ id }) => id)
  await deleteJobs(tx, [submitTemplateJob], ids)
  await publish(
    tx,
    templates.map(({ teamId, id }) => ({ type: 'whatsapp.template_reviewed', teamId, data: { templateId: id } })),
  )
}
