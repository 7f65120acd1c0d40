/**
 * How the value of a header field is built. `mailboxes` and `ids` are structured: words, comments and values in angle
 * brackets. `parameters` is a token with parameters; `text` is anything else.
 */
type FieldForm = 'mailboxes' | 'ids' | 'parameters' | 'text'

/** Returns the form of a field, which a name beginning with `X-` shares with the field that it extends. */
export function fieldForm(name: string): FieldForm {
  return forms.get(name.toLowerCase().replace(/^x-/, '')) ?? 'text'
}

/** RFC 5322 3.6, RFC 2369, RFC 2919, RFC 8098, RFC 5064, RFC 2045, RFC 2183, Autocrypt and what mail programs add. */
const forms = new Map(
  Object.entries({
    mailboxes:
      'from sender reply-to to cc bcc resent-from resent-sender resent-reply-to resent-to resent-cc resent-bcc return-path ' +
      'disposition-notification-to return-receipt-to confirm-reading-to errors-to delivered-to envelope-to envelope-from ' +
      'original-to original-from original-sender forwarded-to forwarded-for mail-followup-to mail-reply-to apparently-to ' +
      'abuse-reports-to followup-to list-id list-unsubscribe list-unsubscribe-post list-subscribe list-post list-help ' +
      'list-owner list-archive archived-at keywords content-location content-base url received',
    ids: 'message-id in-reply-to references resent-message-id original-message-id supersedes content-id gm-message-id',
    parameters: 'content-type content-disposition autocrypt autocrypt-gossip openpgp',
  } satisfies Record<Exclude<FieldForm, 'text'>, string>).flatMap(([form, names]) =>
    names.split(' ').map((name) => [name, form as FieldForm] as const),
  ),
)
