import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether Twilio signed this: HMAC-SHA1, with the account's token, over the address it was told to call and the fields of
 * the form in order of their names, each name and value without anything between. `url` as the operator or we wrote it;
 * Twilio may have added the port to it, or have left it out.
 */
export function isSignedByTwilio(
  authToken: string,
  signature: string,
  { url, fields }: { url: string; fields: URLSearchParams },
): boolean {
  const given = Buffer.from(signature)
  const text = signedFields(fields)
  return formsOf(url).some((form) => {
    const expected = Buffer.from(
      createHmac('sha1', authToken)
        .update(form + text)
        .digest('base64'),
    )
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Of a field that is given more than once, each value once, in order. */
function signedFields(fields: URLSearchParams): string {
  const names = [...new Set(fields.keys())].sort()
  return names.flatMap((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value)).join('')
}

function formsOf(url: string): string[] {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/s.exec(url) ?? []
  const bare = origin.replace(/:\d+$/, '')
  const port = origin.slice(bare.length) || (origin.startsWith('https:') ? ':443' : ':80')
  return [url, bare + rest, bare + port + rest]
}
