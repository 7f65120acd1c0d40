import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { placePopup } from '../../ui/dialog/place-popup.ts'
import { moveInOptions } from '../../ui/form/move-in-options.ts'
import { type Offer, offersMatching, textOfOffer, typedAfterBraces } from './offers.ts'
import { useSettings } from './settings.ts'

type Target = {
  /** The control that the offers stand under. */
  anchor: () => HTMLElement | null
  /** Replaces so many characters before the cursor. */
  replace: (count: number, text: string) => void
}

/** Offers values of earlier steps after `{{`. Up, Down and Enter choose; Escape closes. */
export function useOffers({ anchor, replace }: Target) {
  const { offers } = useSettings()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const matching = typed === undefined ? [] : offersMatching(offers, typed).filter(({ path }) => path !== typed)
  const isOpen = matching.length > 0
  const at = Math.min(active, matching.length - 1)
  function choose(offer: Offer) {
    setTyped(undefined)
    replace((typed?.length ?? 0) + 2, textOfOffer(offer))
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return
    if (event.key === 'Enter' || event.key === 'Tab') choose(matching[at]!)
    else if (event.key === 'Escape') setTyped(undefined)
    else if (event.key.startsWith('Arrow') && !/Left|Right/.test(event.key)) {
      setActive(moveInOptions(event, at, matching.length))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const popup: ReactNode = isOpen && <Offers {...{ id, anchor, matching, at }} onChoose={choose} />
  return {
    popup,
    onKeyDown,
    onBlur: () => setTyped(undefined),
    /** Takes the text before the cursor after each change. */
    follow: (before: string) => {
      setTyped(typedAfterBraces(before))
      setActive(0)
    },
    attributes: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen ? `${id}-offers` : undefined,
      'aria-activedescendant': isOpen ? `${id}-${at}` : undefined,
    },
  }
}

type OffersProps = {
  id: string
  anchor: Target['anchor']
  matching: Offer[]
  /** The one that Enter takes. */
  at: number
  onChoose: (offer: Offer) => void
}

function Offers({ id, anchor, matching, at, onChoose }: OffersProps) {
  return (
    <div
      id={`${id}-offers`}
      role="listbox"
      aria-label="Values of earlier steps"
      popover="manual"
      className="popup offers"
      ref={(node) => {
        const control = anchor()
        if (!node || !control) return
        node.showPopover()
        placePopup(node, control)
      }}
    >
      {matching.map((offer, index) => (
        <div
          key={`${offer.path} ${offer.from}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          ref={index === at ? scrollNear : null}
          className={`menu-item offer ${index === at ? 'option-active' : ''}`}
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(offer)
          }}
        >
          <code>{offer.path}</code>
          <span className="small muted">{offer.from}</span>
        </div>
      ))}
    </div>
  )
}

function scrollNear(node: HTMLElement | null) {
  node?.scrollIntoView({ block: 'nearest' })
}
