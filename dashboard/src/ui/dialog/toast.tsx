import { useSyncExternalStore } from 'react'
import { createStore } from '../../api/store.ts'
import { openDialogs } from './open-dialogs.ts'

type Toast = { id: number; text: string; isFault: boolean }

const shownMs = 5000
const toasts = createStore<{ shown: Toast[]; told: Toast | null; nextId: number }>({ shown: [], told: null, nextId: 1 })

/** Says in passing that something succeeded. */
export function say(text: string): void {
  add(text, false)
}

/** Says in passing that something failed which has no place of its own in the page. */
export function sayFault(error: unknown): void {
  add(error instanceof Error ? error.message : String(error), true)
}

/** Tells screen readers what others see in the page, such as how many rows a search has left. */
export function tell(text: string): void {
  const { nextId: id, ...rest } = toasts.get()
  toasts.set({ ...rest, told: { id, text, isFault: false }, nextId: id + 1 })
  setTimeout(() => drop(id), shownMs)
}

function add(text: string, isFault: boolean): void {
  const { shown, told, nextId: id } = toasts.get()
  toasts.set({ shown: [...shown.slice(-2), { id, text, isFault }], told, nextId: id + 1 })
  setTimeout(() => drop(id), isFault ? 2 * shownMs : shownMs)
}

function drop(id: number): void {
  const { shown, told, nextId } = toasts.get()
  toasts.set({ shown: shown.filter((toast) => toast.id !== id), told: told?.id === id ? null : told, nextId })
}

/**
 * Shows what is said in passing, in a live region that is there before. The page has one, and so has each dialog: while
 * one is open, what stands outside it is not announced and lies behind it.
 */
export function Toasts({ dialogId }: { dialogId?: string }) {
  const all = useSyncExternalStore(toasts.subscribe, toasts.get)
  const isHere = useSyncExternalStore(openDialogs.subscribe, openDialogs.get).at(-1) === dialogId
  const shown = isHere ? all.shown : []
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
        {isHere && all.told && (
          <p key={all.told.id} className="unseen">
            {all.told.text}
          </p>
        )}
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
