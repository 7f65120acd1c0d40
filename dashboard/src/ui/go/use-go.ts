import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { PagePath } from '../../paths.ts'

type Options = { search?: Record<string, string | undefined>; replace?: boolean }

/** Returns how to go to another page. */
export function useGo(): (to: PagePath, options?: Options) => Promise<void> {
  const navigate = useNavigate()
  return useCallback((to, options) => navigate({ to, ...options }), [navigate])
}

/**
 * Returns how to go on when a request was answered. A person who has gone to another page meanwhile stays there: what
 * is called in the end knows the page on which the request was begun.
 */
export function useGoOn(): ReturnType<typeof useGo> {
  const go = useGo()
  const router = useRouter()
  const { pathname } = useLocation()
  return useCallback(
    async (to, options) => {
      if (router.latestLocation.pathname === pathname) await go(to, options)
    },
    [go, router, pathname],
  )
}

/** Returns how to go to an address that is only known as a text, such as the one that a person came from. */
export function useOpenAddress(): (href: string, options?: Pick<Options, 'replace'>) => Promise<void> {
  const navigate = useNavigate()
  return useCallback((href, options) => navigate({ href, ...options }), [navigate])
}
