import { useNavigate } from '@tanstack/react-router'
import { post } from '../api/call.ts'
import { changed, removeShown } from '../api/client.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { say } from '../ui/toast.tsx'
import { type Domain, domainsPath } from './domain.ts'

type Props = { domain: Domain }

export function RotateDkim({ domain }: Props) {
  return (
    <ConfirmButton
      name="Rotate DKIM"
      verb="Rotate"
      onConfirm={async () => {
        await post(`${domainsPath}/${domain.id}/rotate-dkim`)
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
  const navigate = useNavigate()
  return (
    <ConfirmButton
      name={`Delete ${domain.name}`}
      short="Delete"
      verb="Delete"
      kind="danger"
      onConfirm={async () => {
        await removeShown(domainsPath, domain.id)
        await navigate({ to: '/domains' as never })
        changed('domains', 'api-keys')
        say(`${domain.name} is deleted`)
      }}
    >
      <p>No email can be sent from it any more, and API keys restricted to it are deleted. This cannot be undone.</p>
    </ConfirmButton>
  )
}
