import type { Role } from '../../api/roles.ts'
import { useMe } from '../../session/me.ts'
import { Select } from '../../ui/form/field.tsx'
import type { useForm } from '../../ui/form/form.tsx'
import { sentence } from '../../ui/text/words.ts'
import { abouts, rolesToGive } from './member.ts'

type Props<Values extends { role: string }> = { form: ReturnType<typeof useForm<Values>> }

/** The choice of a role, with what it may do. */
export function RoleField<Values extends { role: string }>({ form }: Props<Values>) {
  const { role: own } = useMe()
  return (
    <Select
      label="Role"
      hint={abouts[form.values.role as Role]}
      options={rolesToGive(own).map((value) => ({ value, label: sentence(value) }))}
      {...form.field('role')}
    />
  )
}
