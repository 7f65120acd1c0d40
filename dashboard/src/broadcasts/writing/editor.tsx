import { useState } from 'react'
import { ContentPreview } from '../../content/content-preview.tsx'
import { SharedNotices } from '../../typing/elsewhere.tsx'
import { ActionButton } from '../../ui/button/action-button.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DeleteShown } from '../../ui/dialog/delete-shown.tsx'
import type { Option } from '../../ui/form/field.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { useAddress } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import type { Broadcast } from '../broadcast.ts'
import { ContactChoice, useFirstContact } from './choices.tsx'
import { type Draft, labels } from './draft.ts'
import { DraftFields } from './fields.tsx'
import { SendDialog } from './send-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { type Goal, type Saved, useSaving } from './use-saving.ts'

/** Writes a draft, beside its preview. */
export function Editor({ stored, start, kept, onChanged }: Saved) {
  const [address, change] = useAddress()
  /** Null is none; undefined is the first of the segment. */
  const [chosen, setChosen] = useState<Option | null>()
  const { draft, submitFor, saveAsAnother } = useSaving({ stored, start, kept, onChanged })
  const { form } = draft
  onChanged?.(draft.isChanged)
  const isDraft = !stored || stored.status === 'draft'
  const first = useFirstContact(form.values.segmentId)
  const contact = chosen === undefined ? first : (chosen ?? undefined)
  const close = () => change({ do: undefined })
  return (
    <>
      <form {...form.props}>
        <Page
          title={stored ? stored.name : 'New broadcast'}
          above={<Go to="/broadcasts">Broadcasts</Go>}
          actions={isDraft && <Actions {...{ stored, submitFor }} onDeleted={kept.forget} />}
        >
          {!isDraft && <SentElsewhere onSave={saveAsAnother} onFault={form.setError} />}
          <SharedNotices shared={draft} what="draft" labels={labels} />
          <div className="writing">
            <DraftFields form={form} {...(!stored && { onStart: () => change({ do: 'template' }) })} />
            <Preview values={form.values} contact={contact} onChoose={(option) => setChosen(option ?? null)} />
          </div>
        </Page>
      </form>
      {!stored && address.do === 'template' && <TemplateDialog form={form} onClose={close} />}
      {stored && isDraft && address.do === 'test' && (
        <TestDialog broadcast={stored} contact={contact} onClose={close} />
      )}
      {stored && isDraft && address.do === 'send' && <SendDialog broadcast={stored} onClose={close} />}
    </>
  )
}

type ActionsProps = {
  stored: Broadcast | undefined
  submitFor: (goal: Goal) => { isBusy: boolean; onClick: () => void }
  onDeleted: () => void
}

function Actions({ stored, submitFor, onDeleted }: ActionsProps) {
  return (
    <>
      {stored && <DeleteDraft broadcast={stored} onDeleted={onDeleted} />}
      <Button type="submit" {...submitFor(undefined)}>
        Save draft
      </Button>
      <Button type="submit" {...submitFor('test')}>
        Send a test
      </Button>
      <Button type="submit" kind="main" {...submitFor('send')}>
        Review and send
      </Button>
    </>
  )
}

type PreviewProps = { values: Draft; contact: Option | undefined; onChoose: (option: Option | undefined) => void }

function Preview({ values: { subject, html, text }, contact, onChoose }: PreviewProps) {
  return (
    <section className="writing-preview" aria-label="Preview">
      <ContactChoice value={contact} onChange={onChoose} />
      <ContentPreview
        isEmpty={!html && !text}
        request={{
          ...{ kind: 'broadcast', subject, html: html || null, text: text || null },
          ...(contact && { contactId: contact.value }),
        }}
      />
    </section>
  )
}

type Props = { broadcast: Broadcast; onDeleted: () => void }

function DeleteDraft({ broadcast: { id, name }, onDeleted }: Props) {
  return (
    <DeleteShown noun="broadcasts" id={id} name={name} onDeleted={onDeleted}>
      The draft and what is written in it are removed. This cannot be undone.
    </DeleteShown>
  )
}

/** Says that the broadcast left while it was being written here. */
function SentElsewhere({ onSave, onFault }: { onSave: () => Promise<void>; onFault: (error: unknown) => void }) {
  return (
    <div role="alert" className="fault elsewhere">
      <p className="empty-title">Someone else sent this broadcast</p>
      <p>It can no longer be changed. What you typed is still here.</p>
      <div className="actions">
        <ActionButton run={onSave} onFault={onFault}>
          Save as another draft
        </ActionButton>
      </div>
    </div>
  )
}
