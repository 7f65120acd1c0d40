import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type RefObject, useDeferredValue, useRef, useState } from 'react'
import { keys } from '../../api/keys.ts'
import { placePopup } from '../dialog/place-popup.ts'
import { useTold } from '../dialog/use-told.ts'
import { FieldFrame, type Option } from './field.tsx'
import { moveInOptions } from './move-in-options.ts'
import { useWaitingEnter } from './use-waiting-enter.ts'

type Props = {
  label: string
  /** The chosen value; empty for none. */
  value: string
  /** The label of the chosen value, where it is not among the first options. */
  valueLabel?: string
  onChange: (value: string, option: Option | undefined) => void
  /** The options of a text, at most 20. `noun` names them in the cache. */
  search: (text: string, signal: AbortSignal) => Promise<Option[]>
  noun: string
  hint?: string
  fault?: string | undefined
  placeholder?: string
  isOptional?: boolean
}

const nothing = 'Nothing matches.'

/** One of many, found by typing. Up, Down and Enter choose; Escape closes. */
export function Combobox(props: Props) {
  const { label, hint, fault, isOptional, placeholder, value } = props
  const field = useRef<HTMLInputElement>(null)
  const state = useCombobox(props, field)
  const { text, shown, options, at, isOpen, isTyped, isPending, open, type, leave, press, choose } = state
  useTold(isOpen && !isPending && options.length === 0 ? nothing : null, text ?? '')
  return (
    <FieldFrame {...{ label, hint, fault, isOptional }}>
      {({ id, ...ties }) => (
        <>
          <input
            ref={field}
            id={id}
            {...ties}
            className="input"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
            autoComplete="off"
            placeholder={isOpen && !isTyped && value !== '' ? shown : placeholder}
            value={text ?? shown}
            onChange={(event) => type(event.target.value)}
            onClick={() => !isOpen && open()}
            onBlur={() => leave(field.current?.value === '')}
            onKeyDown={press}
          />
          {isOpen && (
            <Popup {...{ id, label, options, at, value, anchor: field.current }} onChoose={choose}>
              {options.length === 0 && <p className="menu-name">{isPending ? 'Searching …' : nothing}</p>}
            </Popup>
          )}
        </>
      )}
    </FieldFrame>
  )
}

/** Holds the typed text and the things found for it. The list is open while there is a text. */
function useCombobox({ value, valueLabel, noun, search, onChange }: Props, field: RefObject<HTMLInputElement | null>) {
  const [text, setText] = useState<string>()
  // The field is empty while the list is only looked through, and that does not mean none.
  const [isTyped, setTyped] = useState(false)
  const [active, setActive] = useState(0)
  const wanted = useDeferredValue(text ?? '')
  const isOpen = text !== undefined
  const {
    data: options = [],
    isPending,
    isPlaceholderData,
  } = useQuery({
    queryKey: keys.part(noun, 'options', { wanted }),
    queryFn: ({ signal }) => search(wanted.trim(), signal),
    placeholderData: (before) => before,
    enabled: isOpen || (value !== '' && valueLabel === undefined),
  })
  const at = Math.min(active, options.length - 1)
  const shown = valueLabel ?? options.find((option) => option.value === value)?.label ?? value
  const isAnswered = !isPending && !isPlaceholderData && wanted === text
  const enter = useWaitingEnter(isAnswered, () => {
    if (options[at]) choose(options[at])
    else if (document.activeElement !== field.current) setText(undefined)
  })
  function choose(option: Option | undefined) {
    setText(undefined)
    onChange(option?.value ?? '', option)
  }
  function press(event: KeyboardEvent) {
    if (!isOpen && event.key !== 'ArrowDown') return
    // The browser reports no change of a field that is empty already.
    if (text === '' && ['Backspace', 'Delete'].includes(event.key)) setTyped(true)
    if (isOpen && !['Escape', 'Enter'].includes(event.key)) return move(moveInOptions(event, at, options.length))
    event.preventDefault()
    if (!isOpen) open()
    else if (event.key === 'Escape') setText(undefined)
    else enter.press()
  }
  function move(next: number) {
    if (next !== at) enter.forget()
    setActive(next)
  }
  function open() {
    enter.forget()
    setActive(0)
    setTyped(false)
    setText('')
  }
  function type(next: string) {
    enter.forget()
    if (next !== text) setActive(0)
    setTyped(true)
    setText(next)
  }
  /**
   * A field that the person emptied means none; other unfinished text is dropped, unless Enter waits to choose by it.
   */
  function leave(isEmpty: boolean) {
    if (enter.isWaiting) return
    if (isTyped && text === '' && value !== '' && isEmpty) choose(undefined)
    setText(undefined)
  }
  return { text, shown, options, at, isOpen, isTyped, isPending, open, type, leave, press, choose }
}

type PopupProps = {
  id: string
  label: string
  options: Option[]
  /** The place of the option that Enter chooses. */
  at: number
  value: string
  anchor: HTMLElement | null
  onChoose: (option: Option) => void
  children: ReactNode
}

function Popup({ id, label, options, at, value, anchor, onChoose, children }: PopupProps) {
  const show = (popup: HTMLElement | null) => {
    if (!popup || !anchor) return
    popup.showPopover()
    popup.style.minWidth = `${anchor.offsetWidth}px`
    placePopup(popup, anchor)
  }
  return (
    <div id={`${id}-list`} role="listbox" aria-label={label} popover="manual" className="popup" ref={show}>
      {options.map((option, index) => (
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={option.value === value}
          className={`menu-item ${index === at ? 'option-active' : ''}`}
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(option)
          }}
        >
          {option.label}
        </div>
      ))}
      {children}
    </div>
  )
}
