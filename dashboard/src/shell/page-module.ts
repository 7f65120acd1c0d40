import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'

/** What the module of a page exports. */
export type PageModule = {
  default: ComponentType
  /** Starts fetching what the page shows, when its link is hovered or focused. */
  prefetch?: (client: QueryClient, address: { params: Record<string, string>; search: Record<string, string> }) => void
}
