import { sentence } from '../ui/text/words.ts'
import { lookOf } from './tones.ts'

/** A status: a glyph and a word, never colour alone. */
export function Status({ of: status, label }: { of: string; label?: string }) {
  const [tone, glyph] = lookOf(status)
  return (
    <span className="status">
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" className={`status-glyph tone-${tone}`}>
        {glyph !== 'bar' && glyph !== 'cross' && <circle cx="6" cy="6" r="4.25" />}
        {glyph === 'full' && <circle cx="6" cy="6" r="4.25" className="filled" />}
        {glyph === 'half' && <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" className="filled" />}
        {glyph === 'cross' && <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" />}
        {glyph === 'bar' && <path d="M2 6h8" />}
      </svg>
      {label ?? sentence(status)}
    </span>
  )
}
