import { type ComponentProps, useState } from 'react'
import { nameOfPlace, useSayIfGone } from '../dialog/say-if-gone.ts'
import { sayFault } from '../dialog/toast.tsx'
import { Button } from './button.tsx'

type Props = Omit<ComponentProps<typeof Button>, 'onClick' | 'isBusy'> & {
  run: () => Promise<unknown>
  /** Is given the failure, and undefined when the button is clicked. Left out: a failure is said in passing. */
  onFault?: (error: unknown) => void
}

/** A button that does something at once, and is busy until that is done. */
export function ActionButton({ run, onFault, ...button }: Props) {
  const [isBusy, setBusy] = useState(false)
  const sayIfGone = useSayIfGone()
  async function start(place: string) {
    setBusy(true)
    onFault?.(undefined)
    try {
      await run()
    } catch (error) {
      if (sayIfGone(place, error)) return
      if (onFault) onFault(error)
      else sayFault(error)
    } finally {
      setBusy(false)
    }
  }
  return <Button {...button} isBusy={isBusy} onClick={({ currentTarget }) => void start(nameOfPlace(currentTarget))} />
}
