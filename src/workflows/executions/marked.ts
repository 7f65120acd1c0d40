import type { Caller } from '../../context.ts'
import type { Page } from '../../platform/pagination.ts'
import type { Execution } from './schema.ts'

/** Returns the execution, marked in test mode: it is of the mode of the caller, who could not read it otherwise. */
export function marked<E extends object>({ mode }: Pick<Caller, 'mode'>, execution: E): E & Pick<Execution, 'mode'> {
  return mode === 'test' ? { ...execution, mode } : execution
}

export function pageMarked(caller: Caller, page: Page<Execution>): Page<Execution> {
  return { ...page, data: page.data.map((execution) => marked(caller, execution)) }
}
