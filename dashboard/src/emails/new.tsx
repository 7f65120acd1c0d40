import { useState } from 'react'
import { withQuery } from '../api/call.ts'
import { ContentPreview } from '../content/content-preview.tsx'
import { useMay, whoMay } from '../session/me.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { Button } from '../ui/button/button.tsx'
import { Page } from '../ui/frame/page.tsx'
import { useAddress } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { Attachments } from './compose/attachments.tsx'
import { Bodies, Envelope, MoreFields, Variables } from './compose/fields.tsx'
import { ScheduleDialog } from './compose/schedule.tsx'
import { useChoices } from './compose/use-choices.ts'
import { filledOf, useComposer } from './compose/use-composer.ts'

export default function Compose() {
  const [{ to, template }] = useAddress()
  if (useMay('POST /v1/emails')) {
    const page = withQuery('emails/new', { to, template })
    return <WithKept page={page}>{(kept) => <Composer kept={kept} />}</WithKept>
  }
  return (
    <Page title="Compose" isNarrow>
      <p>{whoMay('POST /v1/emails')} may send emails.</p>
    </Page>
  )
}

/** Writes one email beside its preview. The address may hold `to` and `template`. */
function Composer({ kept }: { kept: Kept }) {
  const { domains, templates } = useChoices()
  const [isScheduling, setScheduling] = useState(false)
  const composer = useComposer(kept, isScheduling)
  const { form, names, variables, setVariables, files, setFiles, content } = composer
  return (
    <>
      <form {...form.props}>
        <Page
          title="Compose"
          above={<Go to="/emails">Emails</Go>}
          actions={<Actions isBusy={form.isBusy} onSchedule={() => setScheduling(true)} />}
        >
          {composer.keptNotice}
          {composer.keptNotice && composer.lostFiles.length > 0 && (
            <p>Files are not kept. Attach {new Intl.ListFormat('en').format(composer.lostFiles)} again.</p>
          )}
          <div className="writing">
            <div className="form">
              <Envelope form={form} domains={domains} templates={templates} />
              <Bodies form={form} hasTemplate={form.values.templateId !== ''} />
              {names.length > 0 && <Variables names={names} values={variables} onChange={setVariables} />}
              <Attachments files={files} onChange={setFiles} />
              <MoreFields form={form} />
            </div>
            <section className="writing-preview" aria-label="Preview">
              <ContentPreview request={{ ...content, variables: filledOf(variables, names) }} />
            </section>
          </div>
        </Page>
      </form>
      {isScheduling && <ScheduleDialog onClose={() => setScheduling(false)} onSchedule={composer.schedule} />}
    </>
  )
}

function Actions({ isBusy, onSchedule }: { isBusy: boolean; onSchedule: () => void }) {
  return (
    <>
      <Button aria-haspopup="dialog" onClick={onSchedule}>
        Schedule
      </Button>
      <Button type="submit" kind="main" isBusy={isBusy}>
        Send
      </Button>
    </>
  )
}
