import type { App } from '../../context.ts'
import type { Letter } from '../letter.ts'

export type Post = { to: string; letter: Letter }

/** The name by which letters call this installation. */
export function hostOf(app: Pick<App, 'publicUrl'>): string {
  return new URL(app.publicUrl()).host
}
