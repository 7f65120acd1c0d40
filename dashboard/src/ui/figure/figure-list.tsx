import { number } from '../text/words.ts'

type OneFigure = {
  name: string
  value: number
  /** The share that the value is, such as *98 %*. */
  note?: string | undefined
  tone?: 'green' | 'blue' | 'amber' | 'red' | 'purple'
  format?: (value: number) => string
}

/** A few figures side by side. A tone shows only where something was counted. */
export function FigureList({ figures }: { figures: OneFigure[] }) {
  return (
    <dl className="figure-list">
      {figures.map(({ name, value, note, tone, format = number }) => (
        <div key={name} className={tone && value > 0 ? `tone-${tone}` : undefined}>
          <dt>{name}</dt>
          <dd className="figure-value">{format(value)}</dd>
          {note && <dd className="small muted">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
