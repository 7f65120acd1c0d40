import type { ComponentType } from 'react'
import type { Prefetch } from '../api/list.ts'

/** The exports of a page's module. */
export type PageModule = { default: ComponentType; prefetch?: Prefetch }
