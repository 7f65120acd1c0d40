import { changed, client } from '../api/client.ts'
import { post } from '../api/request.ts'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { type Broadcast, broadcastOf } from './broadcast.ts'

export function CancelBroadcast({ broadcast: { id, name, status } }: { broadcast: Broadcast }) {
  return (
    <ConfirmButton
      name="Cancel broadcast"
      verb="Cancel"
      kind="danger"
      onConfirm={async () => {
        const after = await post('/v1/broadcasts/:id/cancel', { id })
        client.setQueryData(broadcastOf(id).queryKey, after)
        changed('broadcasts', 'emails')
        say(after.status === 'draft' ? `${name} is a draft again` : `${name} is stopped`)
      }}
    >
      <p>
        {status === 'sending'
          ? 'The rest of the recipients do not get it. Emails that have left cannot be called back.'
          : 'Nothing has left yet. It becomes a draft again.'}
      </p>
    </ConfirmButton>
  )
}
