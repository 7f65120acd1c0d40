const sentence = 'Your parcel left our house this morning & will reach you – weather permitting – within three days. '

/** A text and an HTML part that make a message of about 7 kB. */
export const text = paragraphs(2200, (line) => `${line}\n\n`)
export const html = `<!doctype html><html><body>${paragraphs(3700, (line) => `<p style="margin: 0 0 1em">${line}</p>\n`)}</body></html>`
export const subject = 'Your order has shipped'

function paragraphs(lengthMin: number, wrap: (line: string) => string): string {
  let all = ''
  while (all.length < lengthMin) all += wrap(sentence.repeat(3).trim())
  return all
}

export function recipient(turn: number): string {
  return `person${turn % 100_000}@example.com`
}
