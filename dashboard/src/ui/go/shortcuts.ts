import { useEffect, useRef } from 'react'

type Shortcut = { keys: string; name: string; run: (event: KeyboardEvent) => void }

const shortcuts = new Map<string, Shortcut>()

/** The shortcuts that work now, for the dialog that lists them. */
export function listShortcuts(): Shortcut[] {
  return [...shortcuts.values()]
}

export function findShortcut(keys: string): Shortcut | undefined {
  return shortcuts.get(keys)
}

/** Adds a shortcut while the component is shown. `keys` is a key, or two with a space: `g e`; an empty text is none. */
export function useShortcut(keys: string, name: string, run: (event: KeyboardEvent) => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (keys === '') return
    const shortcut = { keys, name, run: (event: KeyboardEvent) => latest.current(event) }
    shortcuts.set(keys, shortcut)
    return () => {
      if (shortcuts.get(keys) === shortcut) shortcuts.delete(keys)
    }
  }, [keys, name])
}
