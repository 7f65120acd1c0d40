import { changed } from '../api/client.ts'
import { post } from '../api/request.ts'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { DeleteShown } from '../ui/dialog/delete-shown.tsx'
import { say } from '../ui/dialog/toast.tsx'
import type { Domain } from './domain.ts'

type Props = { domain: Domain }

export function RotateDkim({ domain }: Props) {
  return (
    <ConfirmButton
      name="Rotate DKIM"
      verb="Rotate"
      onConfirm={async () => {
        await post('/v1/domains/:id/rotate-dkim', { id: domain.id })
        changed('domains')
        say('Publish the record of the new key')
      }}
    >
      <p>
        Makes a new key, whose record is to be published beside the present one. Email is signed with it once its record
        is found. The former record can be removed 7 days later.
      </p>
    </ConfirmButton>
  )
}

export function DeleteDomain({ domain }: Props) {
  return (
    <DeleteShown noun="domains" id={domain.id} name={domain.name} also={['api-keys']}>
      No email can be sent from it any more, and API keys restricted to it are deleted. This cannot be undone.
    </DeleteShown>
  )
}
