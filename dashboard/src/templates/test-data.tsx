import { Field, Group } from '../ui/form/field.tsx'

type Props = {
  variables: string[]
  data: Record<string, string>
  onChange: (changes: Record<string, string>) => void
}

/** A field for each variable; the preview shows what it holds. */
export function TestData({ variables, data, onChange }: Props) {
  return (
    <Group label="Test data">
      {variables.length === 0 ? (
        <p className="muted">Variables such as {'{{name}}'} get a field here.</p>
      ) : (
        <div className="form-row">
          {variables.map((name) => (
            <Field
              key={name}
              label={name}
              value={Object.hasOwn(data, name) ? data[name] : ''}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          ))}
        </div>
      )}
    </Group>
  )
}
