/** Stands in place of a secret. */
export const hidden = '[hidden]'

/** Hides path and query of a URL, which are the secret of a webhook. */
export function hidePath(url: string): string {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? `${new URL(url).origin}/${hidden}` : hidden
}
