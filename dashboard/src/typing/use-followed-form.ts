import { useEffect, useState } from 'react'
import { namesOf, pick } from '../api/objects.ts'
import { useForm } from '../ui/form/form.tsx'
import { difference } from './merge.ts'
import { useKeptForm } from './use-kept-form.ts'
import type { Kept } from './with-kept.tsx'

type Fields = Record<string, string | boolean>
type Submit<Values extends Fields> = (changes: Partial<Values>) => Promise<unknown>
type Names<Values extends Fields> = Partial<Record<keyof Values, string>>

/**
 * A form as `useForm` makes it, of something that others may change while it is open. Fields that the person has not
 * touched follow what is stored. `submit` is given the fields that the person changed, so that no others are set back.
 */
export function useFollowedForm<Values extends Fields>(
  stored: Values,
  submit: Submit<Values>,
  names: Names<Values> = {},
) {
  const [base, setBase] = useState(stored)
  const form = useForm(base, (values) => submit(difference(values, base)), names)
  useFollow({ stored, base, setBase, form })
  return form
}

/** A form as `useFollowedForm` makes it, whose fields are kept until they are submitted, with what is `beside` them. */
export function useKeptFollowedForm<Values extends Fields>(
  kept: Kept,
  stored: Values,
  submit: Submit<Values>,
  names: Names<Values> = {},
  beside: object = {},
) {
  const [base, setBase] = useState(stored)
  const form = useKeptForm(kept, base, (values) => submit(difference(values, base)), names, beside)
  useFollow({ stored, base, setBase, form })
  return form
}

type Following<Values extends Fields> = {
  stored: Values
  /** The version of the server that the form was compared with last. */
  base: Values
  setBase: (stored: Values) => void
  form: { values: Values; set: (changes: Partial<Values>) => void }
}

/** Takes each version of the server into the fields that the person has not touched. */
function useFollow<Values extends Fields>({ stored, base, setBase, form }: Following<Values>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks once at each version of the server
  useEffect(() => {
    const untouched = namesOf(stored).filter((field) => form.values[field] === base[field])
    setBase(stored)
    form.set(pick(stored, untouched))
  }, [JSON.stringify(stored)])
}
