import { Select } from '../../ui/form/field.tsx'
import { type Goal, goalNames, goals, type Mapping, mayBeProperty } from '../csv/columns.ts'

type Props = { mapping: Mapping; samples: string[]; onChange: (goals: Goal[]) => void }

/** Lets people choose the field that each column of the file becomes. */
export function Columns({ mapping, samples, onChange }: Props) {
  return (
    <fieldset className="group">
      <legend>Columns</legend>
      <div className="import-columns">
        {mapping.header.map((name, index) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position, and names may repeat
            key={index}
            label={name || `Column ${index + 1}`}
            hint={samples[index] ? `such as ${samples[index]}` : 'empty'}
            options={optionsFor(name)}
            value={mapping.goals[index]!}
            onChoose={(goal) => onChange(mapping.goals.with(index, goal))}
          />
        ))}
      </div>
    </fieldset>
  )
}

function optionsFor(name: string) {
  return goalNames
    .filter((value) => value !== 'property' || mayBeProperty(name))
    .map((value) => ({ value, label: value === 'property' ? `Property “${name}”` : goals[value] }))
}
