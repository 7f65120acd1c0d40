import type { RefObject } from 'react'
import { Button } from '../ui/button/button.tsx'
import { DeleteShown } from '../ui/dialog/delete-shown.tsx'
import type { Template } from './template.ts'

export type Intent = 'save' | 'publish' | 'unpublish'

type Props = { stored: Template | undefined; intent: RefObject<Intent>; isBusy: boolean; onDeleted: () => void }

/**
 * The buttons of the editor. Each but *Delete* submits its form. *Save* alone is a submit button, since Enter in a
 * field presses the first of those.
 */
export function Actions({ stored, intent, isBusy, onDeleted }: Props) {
  const isPublished = stored?.status === 'published'
  const submit = (name: string, meant: Intent, kind: 'plain' | 'main') => (
    <Button
      type={meant === 'save' ? 'submit' : 'button'}
      kind={kind}
      isBusy={isBusy && intent.current === meant}
      onClick={({ currentTarget }) => {
        // While a save is under way, another click does nothing.
        if (isBusy) return
        intent.current = meant
        if (meant !== 'save') currentTarget.form?.requestSubmit()
      }}
    >
      {name}
    </Button>
  )
  return (
    <>
      {stored && <Delete stored={stored} onDeleted={onDeleted} />}
      {isPublished && submit('Unpublish', 'unpublish', 'plain')}
      {submit('Save', 'save', isPublished ? 'main' : 'plain')}
      {!isPublished && submit('Publish', 'publish', 'main')}
    </>
  )
}

function Delete({ stored, onDeleted }: { stored: Template; onDeleted: () => void }) {
  return (
    <DeleteShown noun="templates" id={stored.id} name={stored.name} onDeleted={onDeleted}>
      Requests that name this template are refused from then on. Emails that were accepted or scheduled are sent.
    </DeleteShown>
  )
}
