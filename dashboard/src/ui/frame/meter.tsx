import { number } from '../text/words.ts'

const warnFrom = 0.8

type Props = {
  /** The accessible name, such as *Emails today*. */
  name: string
  value: number
  /** Null if there is no limit. */
  max: number | null
  format?: (value: number) => string
  /** Its end is a goal, such as of a progress, and no limit. */
  isGoal?: boolean
}

/** How much of a limit is used. Its colour changes near the end, and the words say so too. */
export function Meter({ name, value, max, format = number, isGoal }: Props) {
  const part = max === null || max === 0 ? 0 : Math.min(1, value / max)
  const tone = isGoal ? 'tone-green' : part >= 1 ? 'tone-red' : part >= warnFrom ? 'tone-amber' : ''
  const words =
    max === null
      ? `${format(value)}, no limit`
      : `${format(value)} of ${format(max)}${part >= 1 && !isGoal ? ', used up' : ''}`
  return (
    <div className="meter">
      <div className="meter-head">
        <span>{name}</span>
        <span className="muted">{words}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in their own colours */}
      <div
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={max ?? Math.max(1, value)}
        aria-valuenow={value}
        aria-valuetext={words}
        className="meter-bar"
      >
        <div className={`meter-fill ${tone}`} style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  )
}
