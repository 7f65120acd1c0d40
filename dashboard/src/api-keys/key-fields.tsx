import { admins } from '../api/roles.ts'
import { useHasRole } from '../session/me.ts'
import { Field, Group, Tick } from '../ui/form/field.tsx'
import type { useForm } from '../ui/form/form.tsx'

export type KeyValues = { name: string; permission: string; expiresOn: string }

type Props<Values extends KeyValues> = { form: ReturnType<typeof useForm<Values>> }

/** The choice between sending and full access. */
export function PermissionField<Values extends KeyValues>({ form }: Props<Values>) {
  const isAdmin = useHasRole(admins)
  const choose = (permission: string) => ({
    type: 'radio',
    name: 'permission',
    checked: form.values.permission === permission,
    onChange: () => form.set({ permission } as Partial<Values>),
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
        hint={isAdmin ? 'May use every endpoint.' : 'Owners and admins may give full access.'}
        disabled={!isAdmin}
        {...choose('full_access')}
      />
    </Group>
  )
}

/** The day after which the key is refused. */
export function ExpiryField<Values extends KeyValues>({ form }: Props<Values>) {
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
