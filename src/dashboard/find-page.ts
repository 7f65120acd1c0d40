/** Returns the page at a path below `/app`, or undefined. `pages` are such paths, with `:id` for a parameter. */
export function findPage(pages: readonly string[], path: string): string | undefined {
  const parts = partsOf(path)
  const fitting = pages.filter((page) => {
    const wanted = partsOf(page)
    return (
      wanted.length === parts.length && wanted.every((part, index) => part.startsWith(':') || part === parts[index])
    )
  })
  return fitting.find((page) => !page.includes(':')) ?? fitting[0]
}

/** A slash at the end makes no difference. */
function partsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}
