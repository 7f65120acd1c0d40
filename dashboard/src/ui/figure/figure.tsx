import { useId, useState } from 'react'
import { Button } from '../button/button.tsx'
import { number } from '../text/words.ts'
import { Plot } from './plot.tsx'
import { dashOf } from './scale.ts'
import type { FigureProps, Series } from './series.ts'

/** A figure over time. It says itself in words, steps by arrow keys and can be shown as a table. */
export function Figure(props: FigureProps) {
  const { name, words, series } = props
  const [isTable, setTable] = useState(false)
  const id = useId()
  return (
    <figure className="figure" aria-labelledby={id}>
      <figcaption className="figure-head">
        <div>
          <h2 id={id}>{name}</h2>
          <p>{words}</p>
        </div>
        <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Show as table
        </Button>
      </figcaption>
      {isTable ? <FigureTable {...props} /> : <Plot {...props} />}
      {!isTable && series.length > 1 && (
        <ul className="figure-legend">
          {series.map(({ key, name: what, tone }, index) => (
            <li key={key} className={`tone-${tone}`}>
              <Dash {...{ index, tone }} />
              {what}
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}

/** A piece of a line as the drawing has it. */
function Dash({ index, tone }: { index: number; tone: Series['tone'] }) {
  return (
    <svg className="figure-dash" viewBox="0 0 36 10" width="36" height="10" aria-hidden="true">
      <path className={`plot-line tone-${tone}`} d="M0 5H36" strokeDasharray={dashOf(index)} />
    </svg>
  )
}

function FigureTable({ name, series, points, labelOf, format = number }: FigureProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
    <section className="figure-table" tabIndex={0} aria-label={`${name}, table`}>
      <table aria-label={name}>
        <thead>
          <tr>
            <th scope="col">Time (UTC)</th>
            {series.map(({ key, name: what }) => (
              <th key={key} scope="col">
                {what}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">{labelOf(at)}</th>
              {series.map(({ key }) => (
                <td key={key}>{values[key] === null ? '–' : format(values[key] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
