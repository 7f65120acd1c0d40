import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'

/** The exports of a page's module. */
export type PageModule = {
  default: ComponentType
  /** Starts fetching what the page shows, when its link is hovered or focused. */
  prefetch?: (client: QueryClient, address: { params: Record<string, string>; search: Record<string, string> }) => void
}
