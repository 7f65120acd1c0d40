import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import { moveInItems } from './move-in-items.ts'
import { placePopup } from './place-popup.ts'

type Props = {
  /** The button's name. */
  name: string
  /** The content of the button, or its icon. */
  face?: ReactNode
  icon?: IconName
  className: string
  children: ReactNode
}

/** A button with a menu of `MenuItem`, `MenuRadio`, `MenuName` and `MenuLine`. */
export function Menu({ name, face, icon, className, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-label={name}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          popup.current?.showPopover()
        }}
      >
        {icon && <Icon name={icon} />}
        {face}
      </button>
      <div
        ref={popup}
        id={id}
        role="menu"
        aria-label={name}
        tabIndex={-1}
        popover="auto"
        className="popup"
        onBeforeToggle={() => focusFirstOnOpen(popup.current!)}
        onToggle={(event) => {
          const isOpen = (event.nativeEvent as ToggleEvent).newState === 'open'
          button.current?.setAttribute('aria-expanded', String(isOpen))
          if (isOpen) placePopup(popup.current!, button.current!, 'end')
        }}
        onKeyDown={moveInMenu}
      >
        {children}
      </div>
    </>
  )
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
}

/** Lets the browser focus the first item as it opens the menu. A key that follows at once reaches the menu. */
function focusFirstOnOpen(menu: HTMLElement): void {
  for (const [at, item] of itemsOf(menu).entries()) item.toggleAttribute('autofocus', at === 0)
}

function moveInMenu(event: KeyboardEvent<HTMLDivElement>): void {
  if (moveInItems(event, itemsOf(event.currentTarget))) return
  if (event.key === 'Tab') event.currentTarget.hidePopover()
}

function closeMenu(item: HTMLElement): void {
  item.closest<HTMLElement>('[popover]')?.hidePopover()
}

type ItemProps = { onSelect: () => void; isDanger?: boolean; children: ReactNode }

export function MenuItem({ onSelect, isDanger, children }: ItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={`menu-item ${isDanger ? 'menu-item-danger' : ''}`}
      onClick={(event) => {
        closeMenu(event.currentTarget)
        onSelect()
      }}
    >
      {children}
    </button>
  )
}

/** One of a choice. The menu stays open, so that the choice can be seen, unless it leads to another page: `closes`. */
export function MenuRadio({ isChosen, closes, onSelect, children }: ItemProps & { isChosen: boolean; closes?: true }) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isChosen}
      tabIndex={-1}
      className="menu-item"
      onClick={(event) => {
        if (closes) closeMenu(event.currentTarget)
        onSelect()
      }}
    >
      {children}
      {isChosen && <Icon name="check" />}
    </button>
  )
}

export function MenuName({ children }: { children: ReactNode }) {
  return <div className="menu-name">{children}</div>
}

export function MenuLine() {
  return <hr className="menu-line" />
}
