import { useSyncExternalStore } from 'react'
import { unreachable } from '../api/reach.ts'

/** The notice while the server can't be reached. It goes away by itself. */
export function Reach() {
  const isDown = useSyncExternalStore(unreachable.subscribe, unreachable.get)
  if (!isDown) return null
  return (
    <div role="alert" className="reach">
      <strong>Posthorn can’t be reached.</strong> Trying again by itself. What you typed is kept.
    </div>
  )
}
