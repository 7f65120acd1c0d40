import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type Mode, modeOf } from '../../api/mode.ts'

export type Address = Record<string, string | undefined>

/** The parameters of the address: what a page shows. Changing them replaces the entry in the history. */
export function useAddress(): [Address, (changes: Address) => void] {
  return [useSearch({ strict: false }) as Address, useChange({ replace: true })]
}

/** Whether the page shows what test keys sent. */
export function useMode(): Mode {
  return modeOf(useSearch({ strict: false }) as Address)
}

/** Changes parameters of the address as a step of its own, so that Back undoes it. */
export function useSelect(): (changes: Address) => void {
  return useChange({})
}

function useChange(how: { replace?: boolean }): (changes: Address) => void {
  const navigate = useNavigate()
  return (changes) => {
    const search = (before: Address) => ({ ...before, ...changes })
    void navigate({ to: '.', search, ...how, resetScroll: false })
  }
}

/** A parameter of the page's path, such as `$id`. */
export function usePathPart(name: string): string {
  return (useParams({ strict: false }) as Record<string, string>)[name] ?? ''
}
