import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { FormFault, useForm } from '../ui/form.tsx'

type Props = {
  /** The name before; empty for a new thing. */
  name?: string
  /** The button's name, such as *Create*. */
  verb: string
  hint?: string
  onSubmit: (name: string) => Promise<unknown>
}

/** A form with a *Name* alone, for a dialog. */
export function NameForm({ name = '', verb, hint, onSubmit }: Props) {
  const form = useForm({ name }, (values) => onSubmit(values.name))
  return (
    <form className="form" {...form.props}>
      <FormFault form={form} />
      <Field label="Name" maxLength={200} hint={hint} {...form.field('name')} autoFocus />
      <div className="dialog-actions">
        <Button type="submit" kind="main" isBusy={form.isBusy}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
