import { useNavigate } from '@tanstack/react-router'
import { changed, removeShown } from '../api/client.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { say } from '../ui/toast.tsx'
import { type Broadcast, path } from './broadcast.ts'

type Props = { broadcast: Broadcast; onDeleted: () => void }

export function DeleteDraft({ broadcast: { id, name }, onDeleted }: Props) {
  const navigate = useNavigate()
  return (
    <ConfirmButton
      name={`Delete ${name}`}
      short="Delete"
      verb="Delete"
      kind="danger"
      onConfirm={async () => {
        await removeShown(path, id)
        onDeleted()
        say(`${name} is deleted`)
        await navigate({ to: '/broadcasts' as never })
        changed('broadcasts')
      }}
    >
      <p>The draft and what is written in it are removed. This cannot be undone.</p>
    </ConfirmButton>
  )
}
