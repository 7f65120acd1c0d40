import { LineForm } from '../ui/form/line-form.tsx'

type Props = {
  /** The name before; empty for a new thing. */
  name?: string
  /** The button's name, such as *Create*. */
  verb: string
  hint?: string
  onSubmit: (name: string) => Promise<unknown>
}

/** A form with a *Name* alone, for a dialog. */
export function NameForm({ name = '', ...rest }: Props) {
  return <LineForm label="Name" name="name" initial={name} maxLength={200} {...rest} />
}
