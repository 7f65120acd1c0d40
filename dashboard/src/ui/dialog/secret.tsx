import { useId } from 'react'
import { CopyButton } from '../button/copy.tsx'

/** A secret that is shown once, with a button to copy it. */
export function Secret({ label, value, copyName }: { label: string; value: string; copyName: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="secret">
        <input
          id={id}
          className="input mono"
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={value} name={copyName} />
      </div>
    </div>
  )
}
