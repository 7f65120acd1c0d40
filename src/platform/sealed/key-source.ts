import type { KeyObject } from 'node:crypto'

/** The keys of one secret, and a short name of the secret that reveals nothing about it. */
export type KeySource = { id: string; key(purpose: string): KeyObject }
