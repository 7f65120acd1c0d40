import { type KeyboardEvent, useState } from 'react'
import { number } from '../text/words.ts'
import { dashOf, lineThrough, round, roundTop } from './scale.ts'
import type { FigureProps, Point, Series } from './series.ts'

const width = 720
const height = 160

/** The drawing. The arrow keys step over its points, and the pointer shows the one below it. */
export function Plot({ name, series, points, labelOf, format = number, top: given }: FigureProps) {
  const [at, setAt] = useState<number>()
  const largest = Math.max(0, ...points.map((point) => heightOf(point, series)))
  const top = given ?? roundTop(largest)
  const shown = at === undefined ? undefined : points[at]
  const said = shown && `${labelOf(shown.at)}: ${series.map((one) => sayValue(shown, one, format)).join(', ')}`
  function move(event: KeyboardEvent) {
    const now = at ?? points.length
    const goals: Record<string, number> = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: points.length - 1 }
    const goal = goals[event.key]
    if (goal === undefined) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(points.length - 1, goal)))
  }
  return (
    <div className="plot">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${name}, by time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={at ?? Math.max(0, points.length - 1)}
        aria-valuetext={said ?? 'Step with the arrow keys'}
        className="plot-area"
        onKeyDown={move}
        onPointerMove={(event) => {
          const { left, width: wide } = event.currentTarget.getBoundingClientRect()
          setAt(Math.max(0, Math.min(points.length - 1, Math.floor(((event.clientX - left) / wide) * points.length))))
        }}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        <Drawing {...{ series, points, top, at }} />
        <span className="plot-top small muted">{format(top)}</span>
      </div>
      <div className="plot-foot small muted">
        <span>{points[0] && labelOf(points[0].at)}</span>
        <span className="plot-said" aria-live="off">
          {said}
        </span>
        <span>{points.length > 1 && labelOf(points.at(-1)!.at)}</span>
      </div>
    </div>
  )
}

type DrawingProps = Pick<FigureProps, 'series' | 'points'> & { top: number; at: number | undefined }

function Drawing({ series, points, top, at }: DrawingProps) {
  const step = width / Math.max(1, points.length)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" className="plot-drawing">
      {[0, 0.5].map((part) => (
        <path key={part} d={`M0 ${part * height}H${width}`} className="plot-grid" />
      ))}
      <path d={`M0 ${height}H${width}`} className="plot-ground" />
      {at !== undefined && <rect x={round(at * step)} width={round(step)} height={height} className="plot-cursor" />}
      {series.map(({ key, tone }, index) => (
        <Line key={key} of={key} {...{ tone, index, points, top }} />
      ))}
    </svg>
  )
}

type LineProps = Pick<Series, 'tone'> & { of: string; index: number; points: Point[]; top: number }

function Line({ of, tone, index, points, top }: LineProps) {
  const values = points.map((point) => point.values[of] ?? null)
  return (
    <path
      // Nothing but zeros is the ground line, which is there.
      visibility={values.some(Boolean) ? undefined : 'hidden'}
      d={lineThrough(values, top, width, height)}
      strokeDasharray={dashOf(index)}
      className={`plot-line tone-${tone}`}
    />
  )
}

function heightOf({ values }: Point, series: Series[]): number {
  return Math.max(0, ...series.map(({ key }) => values[key] ?? 0))
}

function sayValue({ values }: Point, { key, name }: Series, format: (value: number) => string): string {
  const value = values[key]
  return value === null ? `${name.toLowerCase()} unknown` : `${format(value ?? 0)} ${name.toLowerCase()}`
}
