/** The data of a view: live if undefined, otherwise that of test keys. The API takes it as the parameter `mode`. */
export type Mode = 'test' | undefined

/** The mode in a page's address. */
export function modeOf({ mode }: Record<string, string | undefined>): Mode {
  return mode === 'test' ? 'test' : undefined
}
