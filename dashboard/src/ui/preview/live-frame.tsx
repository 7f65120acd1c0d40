import { useEffect, useId, useRef, useState } from 'react'

type Props = {
  /** Where the form goes: a path of our server whose answer carries its own policy. */
  action: string
  /** The name of the form's only field. */
  field: string
  value: string
}

/**
 * Shows the answer to a form in a frame that runs nothing: the preview of what is being written. A new frame loads
 * behind the one that is shown, so that nothing flickers and the browser's history gets no entries.
 */
export function LiveFrame({ value, ...form }: Props) {
  const [shown, setShown] = useState<string>()
  const values = shown === undefined || shown === value ? [value] : [shown, value]
  return (
    <div className="preview live-frames">
      {values.map((each) => (
        <Frame
          key={each}
          {...form}
          value={each}
          isBehind={values.length > 1 && each === value}
          onLoad={() => setShown(each)}
        />
      ))}
    </div>
  )
}

type FrameProps = Props & { isBehind: boolean; onLoad: () => void }

function Frame({ action, field, value, isBehind, onLoad }: FrameProps) {
  const target = useId()
  const form = useRef<HTMLFormElement>(null)
  const isSent = useRef(false)
  useEffect(() => {
    // Effects run twice in development, and once is enough.
    if (!isSent.current) form.current?.submit()
    isSent.current = true
  }, [])
  return (
    <>
      <form ref={form} method="post" action={action} target={target} hidden>
        <input type="hidden" name={field} value={value} />
      </form>
      <iframe
        title={isBehind ? undefined : 'HTML preview'}
        name={target}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        aria-hidden={isBehind}
        tabIndex={isBehind ? -1 : undefined}
        className={`preview-frame ${isBehind ? 'preview-behind' : ''}`}
        // The empty frame loads too, before the form is sent.
        onLoad={() => isSent.current && onLoad()}
      />
    </>
  )
}
