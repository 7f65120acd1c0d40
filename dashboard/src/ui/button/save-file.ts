/** Hands a text to the reader as a file. */
export function saveFile(content: string | Blob, filename: string): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content]) : content)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
