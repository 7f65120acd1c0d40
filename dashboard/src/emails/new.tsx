import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { post, withQuery } from '../api/call.ts'
import { changed } from '../api/client.ts'
import { usePreview } from '../api/preview.ts'
import { difference } from '../drafts/merge.ts'
import { useKeep } from '../drafts/use-keep.tsx'
import { withFields } from '../drafts/use-kept-form.ts'
import { type Draft, WithDraft } from '../drafts/with-draft.tsx'
import { useHasRole } from '../session/me.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { ContentPreview } from '../ui/content-preview.tsx'
import { useForm } from '../ui/form.tsx'
import { Go } from '../ui/go.tsx'
import { Page } from '../ui/page.tsx'
import { say } from '../ui/toast.tsx'
import { Attachments } from './compose/attachments.tsx'
import { type AttachedFile, type Composed, emailBody, emptyEmail } from './compose/body.ts'
import { Bodies, Envelope, MoreFields, Variables } from './compose/fields.tsx'
import { ScheduleDialog } from './compose/schedule.tsx'
import { useChoices, useTemplate } from './compose/use-choices.ts'

export default function Compose() {
  const [{ to, template }] = useAddress()
  if (useHasRole('owner', 'admin', 'developer')) {
    const page = withQuery('emails/new', { to, template })
    return <WithDraft page={page}>{(draft) => <Composer draft={draft} />}</WithDraft>
  }
  return (
    <Page title="Compose" isNarrow>
      <p>Owners, admins and developers may send emails.</p>
    </Page>
  )
}

/** The kept draft of an email. With its key, a reload does not send an email again whose answer was lost. */
type KeptEmail = {
  values: Composed
  variables: Record<string, string>
  files: string[]
  key?: { of: string; value: string }
}

/** Writes one email beside its preview. The address may hold `to` and `template`. */
function Composer({ draft }: { draft: Draft }) {
  const [address] = useAddress()
  const navigate = useNavigate()
  const { domains, templates } = useChoices()
  const [files, setFiles] = useState<AttachedFile[]>([])
  const found = draft.found?.value as Partial<KeptEmail> | undefined
  const [variables, setVariables] = useState<Record<string, string>>(found?.variables ?? {})
  const [isScheduling, setScheduling] = useState(false)
  const key = useRef(found?.key ?? { of: '', value: '' })
  const start = { ...emptyEmail, to: address.to ?? '', templateId: address.template ?? '' }
  const form = useForm(withFields(start, found?.values), () => send(undefined))
  const { templateId, subject } = form.values
  const template = useTemplate(templateId)
  const html = form.values.html || template?.html || null
  const text = form.values.text || template?.text || null
  const kept: KeptEmail = {
    ...{ values: form.values, variables },
    files: files.map(({ filename }) => filename),
    // The key names the whole email, which has megabytes with files.
    ...(files.length === 0 && { key: key.current }),
  }
  const isTyped = Object.keys(difference(form.values, start)).length > 0
  const isChanged = isTyped || files.length > 0 || Object.values(variables).some((value) => value !== '')
  const { notice, saved } = useKeep(draft, { value: kept, isChanged, isBusy: form.isBusy || isScheduling })
  const names = usePreview({ kind: 'email', subject, html, text }).data?.unknown ?? []

  async function send(scheduledAt: string | undefined) {
    const body = emailBody(form.values, pick(variables, names), files, scheduledAt)
    const json = JSON.stringify(body)
    // The same email, sent again because the answer was lost, is sent once.
    if (key.current.of !== json) key.current = { of: json, value: randomKey() }
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key.current.value }
    const { id } = await post<{ id: string }>('/v1/emails', json, { headers })
    saved()
    changed('emails')
    say(scheduledAt === undefined ? 'The email is sent' : 'The email is scheduled')
    await navigate({ to: `/emails/${id}` as never })
  }

  return (
    <>
      <form {...form.props}>
        <Page
          title="Compose"
          above={<Go to="/emails">Emails</Go>}
          actions={
            <>
              <Button aria-haspopup="dialog" onClick={() => setScheduling(true)}>
                Schedule
              </Button>
              <Button type="submit" kind="main" isBusy={form.isBusy}>
                Send
              </Button>
            </>
          }
        >
          {notice}
          {notice && found?.files && found.files.length > 0 && (
            <p>Files are not kept. Attach {new Intl.ListFormat('en').format(found.files)} again.</p>
          )}
          <div className="writing">
            <div className="form">
              <Envelope form={form} domains={domains} templates={templates} />
              <Bodies form={form} hasTemplate={templateId !== ''} />
              {names.length > 0 && <Variables names={names} values={variables} onChange={setVariables} />}
              <Attachments files={files} onChange={setFiles} />
              <MoreFields form={form} />
            </div>
            <section className="writing-preview" aria-label="Preview">
              <ContentPreview request={{ kind: 'email', subject, html, text, variables: pick(variables, names) }} />
            </section>
          </div>
        </Page>
      </form>
      {isScheduling && (
        <ScheduleDialog
          onClose={() => setScheduling(false)}
          onSchedule={(scheduledAt) =>
            send(scheduledAt).catch((error) => {
              form.setError(error)
              throw error
            })
          }
        />
      )}
    </>
  )
}

/** The filled-in ones of the variables that the content has. */
function pick(variables: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(names.filter((name) => variables[name]).map((name) => [name, variables[name]!]))
}

/** `crypto.randomUUID` is missing on plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
