import { useRef } from 'react'
import { objectOf } from '../api/objects.ts'
import { useOnceKey } from '../api/once-key.ts'
import { useForm } from '../ui/form/form.tsx'
import { useKeep } from './use-keep.tsx'
import type { Kept } from './with-kept.tsx'

/**
 * A form as `useForm` makes it, whose fields are kept until they are submitted. Only fields that differ from `initial`,
 * which is what is stored, are kept: what was kept never brings an older value back. `headersFor` gives a request of
 * this body its key, which is kept too: when an answer is lost, a closed dialog or a reload must not send twice.
 * `beside` is kept with the fields: what `submit` needs to know of the time when they were typed.
 */
export function useKeptForm<Values extends Record<string, string | boolean>>(
  kept: Kept,
  initial: Values,
  submit: (values: Values, headersFor: (json: string) => Record<string, string>) => Promise<unknown>,
  names: Partial<Record<keyof Values, string>> = {},
  beside: object = {},
) {
  const once = useOnceKey(objectOf(kept.found?.value).onceKey)
  const isCleared = useRef(false)
  const form = useForm(
    withFields(initial, kept.found?.value),
    async (values) => {
      isCleared.current = false
      await submit(values, once.headersFor)
      once.renew()
      saved({ mayHoldMore: isCleared.current })
    },
    names,
  )
  const typed = Object.fromEntries(Object.entries(form.values).filter(([name, value]) => value !== initial[name]))
  const isChanged = Object.keys(typed).length > 0
  const value = { ...beside, ...typed, ...(once.key.current.of !== '' && { onceKey: once.key.current }) }
  const { keptNotice, saved } = useKeep(kept, { value, isChanged, isBusy: form.isBusy })
  /** Empties a field of a form that stays, once its text is sent. What was typed meanwhile stays too, and is kept. */
  function clearSent(name: keyof Values, sent: string) {
    isCleared.current = true
    form.clearSent(name, sent)
  }
  return { ...form, clearSent, isChanged, keptNotice }
}

/** Puts kept fields over values. What is no field of them, such as of an older version, is left out. */
export function withFields<Values extends Record<string, string | boolean>>(values: Values, kept: unknown): Values {
  const given = typeof kept === 'object' && kept !== null ? Object.entries(kept) : []
  const known = given.filter(([name, value]) => Object.hasOwn(values, name) && typeof value === typeof values[name])
  return { ...values, ...Object.fromEntries(known) }
}
