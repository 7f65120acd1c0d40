import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react'
import { faultAt, isAllAt, withoutFaultsAt } from '../../api/refusal.ts'
import { Button } from '../button/button.tsx'
import { nameOfPlace, useSayIfGone } from '../dialog/say-if-gone.ts'
import { Fault } from '../text/fault.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * The state of a form: its values, and the faults that the server's refusal names. `names` gives the server's name of a
 * field where it differs. The fault of a field goes when the field is changed. Nothing typed is lost when the request
 * fails.
 */
export function useForm<Values extends Record<string, string | boolean>>(
  initial: Values,
  submit: (values: Values) => Promise<unknown>,
  names: Partial<Record<keyof Values, string>> = {},
) {
  const [values, setValues] = useState(initial)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const sayIfGone = useSayIfGone()
  const serverName = (name: keyof Values) => names[name] ?? String(name)
  const dropFaults = (...fields: string[]) => setError((before: unknown) => withoutFaultsAt(before, fields))

  function set(changes: Partial<Values>) {
    setValues((before) => ({ ...before, ...changes }))
    dropFaults(
      ...Object.keys(changes)
        .filter((name) => changes[name] !== values[name])
        .map(serverName),
    )
  }

  /** Empties a field once its text is sent. What was typed into it meanwhile stays. */
  function clearSent(name: keyof Values, sent: string) {
    setValues((before) => (before[name] === sent ? { ...before, [name]: '' } : before))
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    // A dialog's form is inside the page's in React's tree, though not in the document.
    event.stopPropagation()
    if (isBusy) return
    const place = nameOfPlace(event.currentTarget as Element)
    setBusy(true)
    setError(undefined)
    try {
      await submit(values)
    } catch (thrown) {
      sayIfGone(place, thrown)
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    set,
    clearSent,
    error,
    setError,
    /** For what is typed into something that is no field of the form: drops the faults that the refusal names there. */
    dropFaults,
    isBusy,
    isAllAtFields: isAllAt(error, Object.keys(initial).map(serverName)),
    props: { onSubmit: (event: FormEvent) => void onSubmit(event), noValidate: true },
    ...controlsOf(values, set, (name) => faultAt(error, serverName(name))),
  }
}

/** Ties the controls of a form to its values and faults. */
function controlsOf<Values extends Record<string, string | boolean>>(
  values: Values,
  set: (changes: Partial<Values>) => void,
  faultOf: (name: keyof Values & string) => string | undefined,
) {
  return {
    /** The properties of a `Field`, `TextArea` or `Select`. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name] as Values[Name] & string,
      fault: faultOf(name),
      onChange: (event: ChangeEvent<Control>) => set({ [name]: event.target.value } as Partial<Values>),
    }),
    /** The properties of a `Tick`. */
    tick: (name: keyof Values & string) => ({
      name,
      checked: values[name] === true,
      onChange: (event: ChangeEvent<HTMLInputElement>) => set({ [name]: event.target.checked } as Partial<Values>),
    }),
  }
}

type FormState = Pick<ReturnType<typeof useForm>, 'props' | 'error' | 'isAllAtFields' | 'isBusy'>

/** The properties of a `Field`, `TextArea` or `Select`. */
export type FieldControl = ReturnType<ReturnType<typeof useForm>['field']>

/** The fault on top of a form: shown where the refusal names no field of it. */
export function FormFault({ form }: { form: Pick<FormState, 'error' | 'isAllAtFields'> }) {
  return form.isAllAtFields ? null : <Fault error={form.error} />
}

type Props = {
  /** With the notice that typing was kept, where there is one. */
  form: FormState & { keptNotice?: ReactNode }
  /** The name of the button that submits. Left out: there is none. */
  verb?: string | undefined
  kind?: 'main' | 'plain' | 'danger'
  disabled?: boolean
  /** Shows the button *Back*, or one of another name, before the other. */
  onBack?: () => void
  back?: string
  /**
   * In a dialog the buttons stand at the end, in a page at the start; on the pages of a session the one fills the line.
   */
  place?: 'dialog' | 'page' | 'door'
  /** A button before the others. */
  extra?: ReactNode
  /** Stands above the fault. */
  lead?: ReactNode
  /** The fields. */
  children?: ReactNode
}

/** A form: its fault, its fields and its buttons. */
export function Form({ form, lead, children, ...buttons }: Props) {
  return (
    <form className="form" {...form.props}>
      {form.keptNotice}
      {lead}
      <FormFault form={form} />
      {children}
      {buttons.verb && <FormButtons {...buttons} isBusy={form.isBusy} />}
    </form>
  )
}

type ButtonsProps = Omit<Props, 'form' | 'lead' | 'children'> & { isBusy: boolean }

function FormButtons({ verb, kind = 'main', extra, onBack, back = 'Back', place = 'dialog', ...rest }: ButtonsProps) {
  const submit = (
    <Button type="submit" kind={kind} {...rest}>
      {verb}
    </Button>
  )
  if (place === 'door') return submit
  return (
    <div className={place === 'dialog' ? 'dialog-actions' : 'actions'}>
      {extra}
      {onBack && <Button onClick={onBack}>{back}</Button>}
      {submit}
    </div>
  )
}
