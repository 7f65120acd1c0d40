import { type ReactNode, useId, useRef } from 'react'
import { placePopup } from './place-popup.ts'

/** Words that appear over a control while it is hovered or focused. They add to its name and are not needed to use it. */
export function Tip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId()
  const popup = useRef<HTMLSpanElement>(null)
  const show = (anchor: Element) => {
    popup.current?.showPopover()
    if (popup.current) placePopup(popup.current, anchor)
  }
  const hide = () => popup.current?.hidePopover()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the control inside
    <span
      aria-describedby={id}
      onPointerEnter={(event) => show(event.currentTarget)}
      onPointerLeave={hide}
      onFocus={(event) => show(event.currentTarget)}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      <span ref={popup} id={id} role="tooltip" popover="manual" className="popup tip">
        {text}
      </span>
    </span>
  )
}
