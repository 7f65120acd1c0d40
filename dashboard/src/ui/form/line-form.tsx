import type { ComponentProps } from 'react'
import { Field } from './field.tsx'
import { Form, useForm } from './form.tsx'

type Props = Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'type' | 'maxLength'> & {
  /** The server's name of the field. */
  name: string
  /** The value before; empty for a new thing. */
  initial?: string
  /** The button's name, such as *Add*. */
  verb: string
  onSubmit: (value: string) => Promise<unknown>
}

/** A form of one line, for a dialog. */
export function LineForm({ name, initial = '', verb, onSubmit, ...field }: Props) {
  const form = useForm<Record<string, string>>({ [name]: initial }, (values) => onSubmit(values[name]!))
  return (
    <Form form={form} verb={verb}>
      <Field {...field} {...form.field(name)} autoFocus />
    </Form>
  )
}
