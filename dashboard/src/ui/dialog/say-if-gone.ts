import { useEffect, useRef } from 'react'
import { sayFault } from './toast.tsx'

/**
 * Returns how to say a failure in passing if the place that shows it is gone: a person who closed the dialog or left
 * the page while the request was under way must not believe that it was carried out. `what` names that dialog or page.
 * Returns false if the place is still there.
 */
export function useSayIfGone(): (what: string, error: unknown) => boolean {
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return (what, error) => {
    if (isGone.current)
      sayFault(`${what.replace(/\?$/, '')}: ${error instanceof Error ? error.message : String(error)}`)
    return isGone.current
  }
}

/** Returns the name of the dialog or page that an element is in. */
export function nameOfPlace(element: Element): string {
  const heading = element.closest('dialog')?.querySelector('h2') ?? document.querySelector('h1')
  return heading?.textContent ?? 'Not done'
}
