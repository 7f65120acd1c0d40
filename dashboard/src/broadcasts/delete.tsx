import { DeleteShown } from '../ui/dialog/delete-shown.tsx'
import type { Broadcast } from './broadcast.ts'

type Props = { broadcast: Broadcast; onDeleted: () => void }

export function DeleteDraft({ broadcast: { id, name }, onDeleted }: Props) {
  return (
    <DeleteShown path="/v1/broadcasts/:id" id={id} name={name} onDeleted={onDeleted}>
      The draft and what is written in it are removed. This cannot be undone.
    </DeleteShown>
  )
}
