/** Makes a style sheet, or the value of a `style`, for a preview. Without `remote` it names nothing outside of the document. */
export function safeCss(css: string, { remote }: { remote: boolean }): string {
  // An angle bracket could end the element that holds the text. CSS has an escape for it.
  const contained = css.replaceAll(/<!--|-->/g, '').replaceAll('<', '\\3c ')
  const own = contained.replaceAll(importForm, '')
  return remote ? own : own.replaceAll(urlForm, (written) => (isData.test(written) ? written : 'none'))
}

/** Neither form can match over the beginning of another match, so the time is linear in the length of any text. */
const importForm = /@import[^;{}@]{0,2000};?/gi
const urlForm = /url\([^()]{0,2000}\)/gi
const isData = /^url\(\s{0,10}["']?data:image\//i
