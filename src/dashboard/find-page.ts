/** Tells whether a path below `/app` is a page. `pages` are such paths, with `:id` for a parameter. */
export function isPage(pages: readonly string[], path: string): boolean {
  const parts = partsOf(path)
  return pages.some((page) => {
    const wanted = partsOf(page)
    return (
      wanted.length === parts.length && wanted.every((part, index) => part.startsWith(':') || part === parts[index])
    )
  })
}

/** A slash at the end makes no difference. */
function partsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}
