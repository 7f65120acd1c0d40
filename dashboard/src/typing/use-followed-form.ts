import { useEffect, useState } from 'react'
import { namesOf, pick } from '../api/objects.ts'
import { useForm } from '../ui/form/form.tsx'
import { difference } from './merge.ts'

/**
 * A form as `useForm` makes it, of something that others may change while it is open. Fields that the person has not
 * touched follow what is stored. `submit` is given the fields that the person changed, so that no others are set back.
 */
export function useFollowedForm<Values extends Record<string, string | boolean>>(
  stored: Values,
  submit: (changes: Partial<Values>) => Promise<unknown>,
  names: Partial<Record<keyof Values, string>> = {},
) {
  const [base, setBase] = useState(stored)
  const form = useForm(base, (values) => submit(difference(values, base)), names)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks once at each version of the server
  useEffect(() => {
    const untouched = namesOf(stored).filter((field) => form.values[field] === base[field])
    setBase(stored)
    form.set(pick(stored, untouched))
  }, [JSON.stringify(stored)])
  return form
}
