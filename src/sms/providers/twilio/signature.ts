import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Verifies Twilio's signature: HMAC-SHA1 with the account's token over the called address and the form's fields, sorted
 * by name, names and values concatenated. Twilio may have added the default port to `url` or removed it.
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

/** A field that occurs several times contributes each different value once, sorted. */
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
