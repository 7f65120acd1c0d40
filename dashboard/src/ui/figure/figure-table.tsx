import { number } from '../text/words.ts'
import type { FigureProps } from './series.ts'

export function FigureTable({ name, series, points, labelOf, format = number }: FigureProps) {
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
