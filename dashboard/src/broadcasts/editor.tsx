import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { post } from '../api/call.ts'
import { changed } from '../api/client.ts'
import { ElsewhereNotice } from '../drafts/elsewhere.tsx'
import type { Draft as Kept } from '../drafts/with-draft.tsx'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { ContentPreview } from '../ui/content-preview.tsx'
import type { Option } from '../ui/field.tsx'
import { Go } from '../ui/go.tsx'
import { Page } from '../ui/page.tsx'
import { say, sayFault } from '../ui/toast.tsx'
import { type Broadcast, path } from './broadcast.ts'
import { ContactChoice, useFirstContact } from './choices.tsx'
import { DeleteDraft } from './delete.tsx'
import { bodyOf, type Draft, labels } from './draft.ts'
import { DraftFields } from './fields.tsx'
import { SendDialog } from './send-dialog.tsx'
import { SentElsewhere } from './sent-elsewhere.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useDraft } from './use-draft.ts'

/** The dialog that opens once the draft is saved, as the address names it. */
type Goal = 'test' | 'send' | undefined

type Props = {
  /** The draft as it is stored; undefined for a new one. */
  stored?: Broadcast
  start: Draft
  kept: Kept
  /** Tells whether something is typed that is not saved, so that the page does not take the editor away. */
  onChanged?: (isChanged: boolean) => void
}

/** Writes a draft, beside its preview. */
export function Editor({ stored, start, kept, onChanged }: Props) {
  const navigate = useNavigate()
  const [address, change] = useAddress()
  /** Null is none; undefined is the first of the segment. */
  const [chosen, setChosen] = useState<Option | null>()
  const goal = useRef<Goal>(undefined)
  const draft = useDraft(stored, start, kept, (saved) => {
    if (!goal.current) say('Draft saved')
    onChanged?.(false)
    if (!stored) void navigate({ to: `/broadcasts/${saved.id}`, search: { do: goal.current }, replace: true } as never)
    else if (goal.current) change({ do: goal.current })
  })
  const { form } = draft
  onChanged?.(draft.isChanged)
  const isDraft = !stored || stored.status === 'draft'
  const { subject, html, text, segmentId } = form.values
  const first = useFirstContact(segmentId)
  const contact = chosen === undefined ? first : (chosen ?? undefined)
  const close = () => change({ do: undefined })
  const submit = (name: string, next: Goal, isMain = false) => (
    <Button
      type="submit"
      kind={isMain ? 'main' : 'plain'}
      isBusy={form.isBusy && goal.current === next}
      onClick={() => {
        goal.current = next
      }}
    >
      {name}
    </Button>
  )
  async function saveAsAnother() {
    try {
      const { id } = await post<Broadcast>(path, bodyOf(form.values))
      changed('broadcasts')
      kept.forget()
      onChanged?.(false)
      void navigate({ to: `/broadcasts/${id}`, replace: true } as never)
    } catch (error) {
      sayFault(error)
    }
  }
  return (
    <>
      <form {...form.props}>
        <Page
          title={stored ? stored.name : 'New broadcast'}
          above={<Go to="/broadcasts">Broadcasts</Go>}
          actions={
            isDraft && (
              <>
                {submit('Save draft', undefined)}
                {submit('Send a test', 'test')}
                {submit('Review and send', 'send', true)}
                {stored && <DeleteDraft broadcast={stored} onDeleted={kept.forget} />}
              </>
            )
          }
        >
          {!isDraft && <SentElsewhere onSave={() => void saveAsAnother()} />}
          {draft.keptNotice}
          {draft.notice && (
            <ElsewhereNotice
              {...{ what: 'draft', labels, notice: draft.notice }}
              onTake={draft.takeTheirs}
              onDismiss={draft.dismiss}
            />
          )}
          <div className="writing">
            <DraftFields form={form} />
            <section className="writing-preview" aria-label="Preview">
              <ContactChoice value={contact} onChange={(option) => setChosen(option ?? null)} />
              <ContentPreview
                request={{
                  ...{ kind: 'broadcast', subject, html: html || null, text: text || null },
                  ...(contact && { contactId: contact.value }),
                }}
              />
            </section>
          </div>
        </Page>
      </form>
      {stored && isDraft && address.do === 'test' && (
        <TestDialog broadcast={stored} contact={contact} onClose={close} />
      )}
      {stored && isDraft && address.do === 'send' && <SendDialog broadcast={stored} onClose={close} />}
    </>
  )
}
