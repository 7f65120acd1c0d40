import { Group, Select } from '../../ui/form/field.tsx'
import { GroupFields } from './group-fields.tsx'
import { optionOfValue, optionsOf, type Schema } from './schema.ts'
import { type FieldProps, useFault, useSettings } from './settings.ts'

const shapeNames: Record<string, string> = { string: 'One', array: 'Several', object: 'A group', null: 'Null' }

/** A value that is of one of several schemas: the choice, and the fields of what was chosen. */
export function UnionField(props: FieldProps) {
  const { schema, label, value, onChange } = props
  const { isReadOnly, AnyField } = useSettings()
  const options = optionsOf(schema)
  const at = optionOfValue(options, value)
  return (
    <div className="union">
      <AnyField {...props} schema={withWords(options[at]!, schema)} />
      <Select
        label={`Form of ${label.toLowerCase()}`}
        options={options.map((option, index) => ({ value: String(index), label: nameOf(option) }))}
        value={String(at)}
        disabled={isReadOnly}
        onChoose={(chosen) => onChange(converted(value, options[Number(chosen)]!))}
      />
    </div>
  )
}

/** The option is shown with the words of the whole. */
function withWords(option: Schema, { title, description, examples }: Schema): Schema {
  return { ...(title && { title }), ...(description && { description }), ...(examples && { examples }), ...option }
}

function nameOf(option: Schema): string {
  return option.title ?? shapeNames[String(option.type)] ?? String(option.type ?? 'Any')
}

/** A list of one becomes that one, and the reverse. */
function converted(value: unknown, option: Schema): unknown {
  if (option.type === 'array') return value === undefined ? [''] : [value]
  if (Array.isArray(value)) return value[0]
  return option.type === 'object' ? {} : undefined
}

type Rule = { left?: unknown; operator?: unknown; right?: unknown; all?: unknown[]; any?: unknown[] }
type RuleKind = 'one' | 'all' | 'any'

/** A comparison, or a list of rules that must all hold or of which any must. */
export function RuleField({ schema, label, path, value, onChange }: FieldProps) {
  const { isReadOnly } = useSettings()
  const fault = useFault(path, false)
  const rule = (value ?? {}) as Rule
  const properties = schema.properties ?? {}
  const kind: RuleKind = rule.all ? 'all' : rule.any ? 'any' : 'one'
  const names = kind === 'one' ? namesOfComparison(rule) : [kind]
  const shown = Object.fromEntries(names.flatMap((name) => (properties[name] ? [[name, properties[name]]] : [])))
  const required = kind === 'one' ? ['left', 'operator', 'right'] : [kind]
  const fields = (
    <>
      {properties.all && (
        <Select
          label="Rule"
          options={[
            { value: 'one', label: 'One comparison' },
            { value: 'all', label: 'All of these hold' },
            { value: 'any', label: 'Any of these holds' },
          ]}
          value={kind}
          disabled={isReadOnly}
          onChoose={(chosen) => onChange(changedRule(rule, chosen))}
        />
      )}
      <GroupFields schema={{ properties: shown, required }} path={path} value={value} onChange={onChange} />
    </>
  )
  // The faults of the whole config stand on top of the settings.
  if (path === '') return fields
  return (
    <Group label={label} fault={fault}>
      {fields}
    </Group>
  )
}

/** `exists` compares with nothing. A right side that is there is shown, so that it can be taken away. */
function namesOfComparison({ operator, right }: Rule): string[] {
  const needsNone = operator === 'exists' || operator === 'not_exists'
  return needsNone && right === undefined ? ['left', 'operator'] : ['left', 'operator', 'right']
}

/** Keeps the comparisons where the new kind can hold them. */
function changedRule({ left, operator, right, all, any }: Rule, kind: RuleKind): unknown {
  const rules = all ?? any
  if (kind !== 'one') return { [kind]: rules ?? [withoutUndefined({ left, operator, right })] }
  return rules?.[0] ?? {}
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
