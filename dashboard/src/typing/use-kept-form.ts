import { useForm } from '../ui/form/form.tsx'
import { useKeep } from './use-keep.tsx'
import type { Kept } from './with-kept.tsx'

/**
 * A form as `useForm` makes it, whose fields are kept until they are submitted. Only fields that differ from `initial`,
 * which is what is stored, are kept: what was kept never brings an older value back.
 */
export function useKeptForm<Values extends Record<string, string | boolean>>(
  kept: Kept,
  initial: Values,
  submit: (values: Values) => Promise<unknown>,
  names: Partial<Record<keyof Values, string>> = {},
) {
  const form = useForm(
    withFields(initial, kept.found?.value),
    async (values) => {
      await submit(values)
      saved()
    },
    names,
  )
  const typed = Object.fromEntries(Object.entries(form.values).filter(([name, value]) => value !== initial[name]))
  const isChanged = Object.keys(typed).length > 0
  const { keptNotice, saved } = useKeep(kept, { value: typed, isChanged, isBusy: form.isBusy })
  return { ...form, isChanged, keptNotice }
}

/** Puts kept fields over values. What is no field of them, such as of an older version, is left out. */
export function withFields<Values extends Record<string, string | boolean>>(values: Values, kept: unknown): Values {
  const given = typeof kept === 'object' && kept !== null ? Object.entries(kept) : []
  const known = given.filter(([name, value]) => Object.hasOwn(values, name) && typeof value === typeof values[name])
  return { ...values, ...Object.fromEntries(known) }
}
