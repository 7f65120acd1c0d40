import { useEffect, useState } from 'react'
import { findShortcut } from '../ui/go/shortcuts.ts'
import { useGo } from '../ui/go/use-go.ts'
import { usePlaces } from './navigation/places.ts'

export type Overlay = 'palette' | 'shortcuts'

const secondKeyWithinMs = 1200

/** Listens for the keys of the shell and of the page. Returns which overlay is open. */
export function useShellShortcuts() {
  const [open, setOpen] = useState<Overlay>()
  const go = useGo()
  const places = usePlaces()
  useEffect(() => {
    let first: string | undefined
    let timer: ReturnType<typeof setTimeout>
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (!isModal(':not(.palette)')) setOpen((now) => (now === 'palette' ? undefined : 'palette'))
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || isModal()) return
      const keys = first ? `${first} ${event.key}` : event.key
      first = undefined
      clearTimeout(timer)
      if (event.key === 'g' && keys === 'g') {
        first = 'g'
        timer = setTimeout(() => {
          first = undefined
        }, secondKeyWithinMs)
        return
      }
      const place = places.find(({ key }) => keys === `g ${key}`)
      const shortcut = findShortcut(keys)
      if (!place && !shortcut && keys !== '?' && keys !== 'c') return
      event.preventDefault()
      if (place) void go(place.path)
      else if (shortcut) shortcut.run(event)
      else if (keys === '?') setOpen('shortcuts')
      else void go('/emails/new')
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [go, places])
  return { open, show: (overlay: Overlay) => setOpen(overlay), close: () => setOpen(undefined) }
}

/** Tells whether the key is meant for a control: text, or the choice of a list. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0]
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('textarea, select, [role="menu"] *, [role="tab"]')) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}

/** Tells whether a dialog is open. What it shows, such as a secret, may be lost if another page is opened. */
function isModal(which = ''): boolean {
  return document.querySelector(`dialog[open]${which}`) !== null
}
