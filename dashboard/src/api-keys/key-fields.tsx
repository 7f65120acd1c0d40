import { admins } from '../api/roles.ts'
import { nameRoles, useHasRole } from '../session/me.ts'
import { Field, Group, Tick } from '../ui/form/field.tsx'
import type { useForm } from '../ui/form/form.tsx'
import type { ApiKey } from './key.ts'

export type KeyValues = { name: string; permission: ApiKey['permission']; expiresOn: string }

type Props = { form: Pick<ReturnType<typeof useForm<KeyValues>>, 'values' | 'set' | 'field'> }

/** The choice between sending and full access. */
export function PermissionField({ form }: Props) {
  const isAdmin = useHasRole(admins)
  const choose = (permission: ApiKey['permission']) => ({
    type: 'radio',
    name: 'permission',
    checked: form.values.permission === permission,
    onChange: () => form.set({ permission }),
  })
  return (
    <Group label="Permission" fault={form.field('permission').fault}>
      <Tick
        label="Sending access"
        hint="Sends and reads emails, broadcasts, SMS and WhatsApp messages."
        {...choose('sending_access')}
      />
      <Tick
        label="Full access"
        hint={isAdmin ? 'May use every endpoint.' : `${nameRoles(admins)} may give full access.`}
        disabled={!isAdmin}
        {...choose('full_access')}
      />
    </Group>
  )
}

/** The day after which the key is refused. */
export function ExpiryField({ form }: Props) {
  return (
    <Field
      label="Expires"
      type="date"
      isOptional
      hint="The key is refused after this day."
      {...form.field('expiresOn')}
    />
  )
}
