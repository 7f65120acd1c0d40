import type { Role } from '../../api/roles.ts'
import { useMe } from '../../session/me.ts'
import { Select } from '../../ui/form/field.tsx'
import type { useForm } from '../../ui/form/form.tsx'
import { sentence } from '../../ui/text/words.ts'
import { abouts, rolesToGive } from './member.ts'

type Props = { form: Pick<ReturnType<typeof useForm<{ role: Role }>>, 'values' | 'field'> }

/** The choice of a role, with what it may do. */
export function RoleField({ form }: Props) {
  const { role: own } = useMe()
  return (
    <Select
      label="Role"
      hint={abouts[form.values.role]}
      options={rolesToGive(own).map((value) => ({ value, label: sentence(value) }))}
      {...form.field('role')}
    />
  )
}
