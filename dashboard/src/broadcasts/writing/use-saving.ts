import { useRef } from 'react'
import { changed } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import type { Kept } from '../../typing/with-kept.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { useAddress } from '../../ui/go/address.ts'
import { useGoOn } from '../../ui/go/use-go.ts'
import type { Broadcast } from '../broadcast.ts'
import { bodyOf, type Draft } from './draft.ts'
import { useDraft } from './use-draft.ts'

/** The dialog that opens once the draft is saved, as the address names it. */
export type Goal = 'test' | 'send' | undefined

export type Saved = {
  /** The draft as it is stored; undefined for a new one. */
  stored?: Broadcast | undefined
  start: Draft
  kept: Kept
  /** Tells whether something is typed that is not saved, so that the page does not take the editor away. */
  onChanged?: ((isChanged: boolean) => void) | undefined
}

/** The form of a draft, and the ways to save it: `submitFor` gives the properties of a button that saves for a goal. */
export function useSaving({ stored, start, kept, onChanged }: Saved) {
  const go = useGoOn()
  const [, change] = useAddress()
  const goal = useRef<Goal>(undefined)
  const draft = useDraft(stored, start, kept, async (saved) => {
    if (!goal.current) say('Draft saved')
    onChanged?.(false)
    if (!stored) await go(`/broadcasts/${saved.id}`, { search: { do: goal.current }, replace: true })
    else if (goal.current) change({ do: goal.current })
  })
  const { form } = draft
  async function saveAsAnother() {
    const { id } = await post('/v1/broadcasts', { body: bodyOf(form.values) })
    changed('broadcasts')
    kept.forget()
    onChanged?.(false)
    await go(`/broadcasts/${id}`, { replace: true })
  }
  const submitFor = (next: Goal) => ({
    isBusy: form.isBusy && goal.current === next,
    onClick: () => {
      // While a save is under way, another click does nothing.
      if (!form.isBusy) goal.current = next
    },
  })
  return { draft, submitFor, saveAsAnother }
}
