/** What a view asks for: live data if undefined, or what test keys sent. The API takes it as the parameter `mode`. */
export type Mode = 'test' | undefined

/** The mode in a page's address. */
export function modeOf({ mode }: Record<string, string | undefined>): Mode {
  return mode === 'test' ? 'test' : undefined
}
