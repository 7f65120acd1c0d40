import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { post } from '../api/call.ts'
import { changed } from '../api/client.ts'
import { usePreview } from '../api/preview.ts'
import { useHasRole } from '../session/me.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { ContentPreview } from '../ui/content-preview.tsx'
import { useForm } from '../ui/form.tsx'
import { Go } from '../ui/go.tsx'
import { Page } from '../ui/page.tsx'
import { say } from '../ui/toast.tsx'
import { Attachments } from './compose/attachments.tsx'
import { type AttachedFile, emailBody, emptyEmail } from './compose/body.ts'
import { Bodies, Envelope, MoreFields, Variables } from './compose/fields.tsx'
import { ScheduleDialog } from './compose/schedule.tsx'
import { useChoices, useTemplate } from './compose/use-choices.ts'

export default function Compose() {
  if (useHasRole('owner', 'admin', 'developer')) return <Composer />
  return (
    <Page title="Compose" isNarrow>
      <p>Owners, admins and developers may send emails.</p>
    </Page>
  )
}

/** Writes one email beside its preview. The address may hold `to` and `template`. */
function Composer() {
  const [address] = useAddress()
  const navigate = useNavigate()
  const { domains, templates } = useChoices()
  const [files, setFiles] = useState<AttachedFile[]>([])
  const [variables, setVariables] = useState<Record<string, string>>({})
  const [isScheduling, setScheduling] = useState(false)
  const key = useRef({ of: '', value: '' })
  const start = { ...emptyEmail, to: address.to ?? '', templateId: address.template ?? '' }
  const form = useForm(start, () => send(undefined))
  const { templateId, subject } = form.values
  const template = useTemplate(templateId)
  const html = form.values.html || template?.html || null
  const text = form.values.text || template?.text || null
  const names = usePreview({ kind: 'email', subject, html, text }).data?.unknown ?? []

  async function send(scheduledAt: string | undefined) {
    const body = emailBody(form.values, pick(variables, names), files, scheduledAt)
    const json = JSON.stringify(body)
    // The same email, sent again because the answer was lost, is sent once.
    if (key.current.of !== json) key.current = { of: json, value: randomKey() }
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key.current.value }
    const { id } = await post<{ id: string }>('/v1/emails', json, { headers })
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
