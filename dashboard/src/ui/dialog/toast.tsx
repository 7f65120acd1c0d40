import { useSyncExternalStore } from 'react'

type Toast = { id: number; text: string; isFault: boolean }

const shownMs = 5000
let toasts: Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

/** Says in passing that something succeeded. */
export function say(text: string): void {
  add(text, false)
}

/** Says in passing that something failed which has no place of its own in the page. */
export function sayFault(error: unknown): void {
  add(error instanceof Error ? error.message : String(error), true)
}

function add(text: string, isFault: boolean): void {
  const toast = { id: nextId++, text, isFault }
  set([...toasts.slice(-2), toast])
  setTimeout(() => set(toasts.filter(({ id }) => id !== toast.id)), isFault ? 2 * shownMs : shownMs)
}

function set(next: Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts">
      <div role="status">
        {shown
          .filter(({ isFault }) => !isFault)
          .map(({ id, text }) => (
            <p key={id} className="toast">
              {text}
            </p>
          ))}
      </div>
      {shown
        .filter(({ isFault }) => isFault)
        .map(({ id, text }) => (
          <p key={id} role="alert" className="toast toast-fault">
            {text}
          </p>
        ))}
    </div>
  )
}
