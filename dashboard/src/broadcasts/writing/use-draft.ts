import { post } from '../../api/request.ts'
import { useSharedForm } from '../../typing/use-shared-form.ts'
import type { Kept } from '../../typing/with-kept.tsx'
import type { Broadcast } from '../broadcast.ts'
import { bodyOf, changesOf, type Draft, draftOf } from './draft.ts'

/**
 * The form of a draft. `stored` is the draft as the server has it, undefined for a new one, which begins as `start`.
 */
export function useDraft(
  stored: Broadcast | undefined,
  start: Draft,
  kept: Kept,
  onSaved: (saved: Broadcast) => Promise<void>,
) {
  return useSharedForm<'broadcasts', Draft>({
    noun: 'broadcasts',
    ...{ stored, kept, changesOf, onSaved },
    valuesOf: draftOf,
    fresh: { start, create: (values) => post('/v1/broadcasts', { body: bodyOf(values) }) },
    refuse: ({ status }) => (status === 'draft' ? undefined : `Not saved: the broadcast is ${status}.`),
  })
}
export type DraftForm = ReturnType<typeof useDraft>['form']
