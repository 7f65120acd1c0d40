import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changed, client } from '../api/client.ts'
import { namesOf, recordOf } from '../api/objects.ts'
import { patch } from '../api/request.ts'
import { useMay, whoMay } from '../session/me.ts'
import { useFollowedForm } from '../typing/use-followed-form.ts'
import { ConfirmDialog } from '../ui/dialog/confirm.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { countOf } from '../ui/text/words.ts'
import { type Retention, retentionQuery } from './team.ts'

type Name = keyof Retention

const kinds: { name: Name; label: string; hint: string }[] = [
  {
    name: 'emailBodiesDays',
    label: 'Bodies of emails',
    hint: 'With attachments. 0 removes them once they are sent.',
  },
  { name: 'emailsDays', label: 'Emails', hint: 'With all that belongs to them.' },
  { name: 'eventsDays', label: 'Events', hint: 'Reports on emails, SMS and WhatsApp messages.' },
  { name: 'messagesDays', label: 'SMS and WhatsApp messages', hint: 'With their events.' },
  { name: 'executionsDays', label: 'Executions', hint: 'Counted from their end.' },
  { name: 'inboxDays', label: 'Inbox', hint: 'Captured messages. The newest 10,000 are kept at most.' },
]
const names = kinds.map(({ name }) => name)

/** How many days the team's data is kept. */
export function RetentionSection() {
  const query = useQuery(retentionQuery)
  const mayChange = useMay('PATCH /v1/team/retention')
  return (
    <Section title="Retention" className="settings-part">
      <p className="muted">
        {mayChange
          ? 'Days for which data is kept. An empty field keeps it for ever.'
          : `Days for which data is kept. ${whoMay('PATCH /v1/team/retention')} change them.`}
      </p>
      <Fetch query={query} lines={6}>
        {(retention) => (mayChange ? <RetentionForm retention={retention} /> : <RetentionFacts {...retention} />)}
      </Fetch>
    </Section>
  )
}

function RetentionFacts(retention: Retention) {
  return (
    <Facts>
      {kinds.map(({ name, label }) => (
        <Fact key={name} name={label}>
          {daysOf(retention[name])}
        </Fact>
      ))}
    </Facts>
  )
}

type Changes = Partial<Record<Name, string>>

function RetentionForm({ retention }: { retention: Retention }) {
  const [asked, ask] = useState<Changes | null>(null)
  const form = useFollowedForm(textsOf(retention), async (changes) => {
    if (namesOf(changes).some((name) => isShorter(numberOf(changes[name]!), retention[name]))) ask(changes)
    else await save(changes)
  })
  async function save(changes: Changes) {
    const body = namesOf(changes).map((name) => [name, numberOf(changes[name]!)])
    if (body.length > 0) {
      const saved = await patch('/v1/team/retention', { body: Object.fromEntries(body) })
      client.setQueryData(retentionQuery.queryKey, saved)
      form.set(textsOf(saved))
      changed('team/retention')
    }
    say('The retention is saved')
  }
  return (
    <>
      <Form form={form} verb="Save retention" kind="plain" place="page">
        <div className="form-row retention">
          {kinds.map(({ name, label, hint }) => (
            // A browser's number field is empty for what is no number, and empty means for ever.
            <Field
              key={name}
              label={label}
              hint={hint}
              inputMode="numeric"
              placeholder="For ever"
              {...form.field(name)}
            />
          ))}
        </div>
      </Form>
      {asked && (
        <ConfirmDialog
          title="Save retention?"
          verb="Save and remove"
          onConfirm={() => save(asked).catch(form.setError)}
          onClose={() => ask(null)}
        >
          <p>Data that is older than the new days is removed at once. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function textsOf(retention: Retention): Record<Name, string> {
  return recordOf(names, (name) => String(retention[name] ?? ''))
}

/**
 * An empty field is null, for ever. What is no number stays as it is, for the server to refuse at its field. So does a
 * number that JSON can only write as null.
 */
function numberOf(text: string): number | string | null {
  if (text.trim() === '') return null
  return Number.isFinite(Number(text)) ? Number(text) : text
}

function isShorter(next: number | string | null, before: number | null): boolean {
  return typeof next === 'number' && (before === null || next < before)
}

function daysOf(days: number | null): string {
  return days === null ? 'For ever' : countOf(days, 'day')
}
