import { invalid } from '../platform/errors.ts'
import type { Unserved } from '../platform/http/dialect.ts'
import type { MailBody } from './mail-body.ts'

/** Fields of SendGrid's that Posthorn does not have, and what to use instead. */
const fields: [keyof MailBody, instead: string][] = [
  ['asm', 'is not there: use topics, with POST /v1/broadcasts'],
  ['batch_id', 'is not there: cancel each email with POST /v1/emails/{id}/cancel'],
  ['ip_pool_name', 'is not there: the installation sends from its own addresses, so leave it out'],
  ['sections', 'is not there: give their text in substitutions'],
]

/** Settings that may be given and be off, and what to use in place of switching them on. */
const settings: Record<'mail_settings' | 'tracking_settings', Record<string, string | null>> = {
  mail_settings: {
    sandbox_mode: null,
    bypass_list_management: 'remove the address with DELETE /v1/suppressions/{id}',
    bypass_spam_management: 'remove the address with DELETE /v1/suppressions/{id}',
    bypass_bounce_management: 'remove the address with DELETE /v1/suppressions/{id}',
    bypass_unsubscribe_management: 'remove the address with DELETE /v1/suppressions/{id}',
    footer: 'write it into content',
    bcc: 'give bcc in the personalization',
    spam_check: 'the installation does not check what it sends',
  },
  tracking_settings: {
    click_tracking: null,
    open_tracking: null,
    subscription_tracking: 'use POST /v1/broadcasts, whose emails can be unsubscribed from',
    ganalytics: 'write the parameters into the links',
  },
}

/** Refuses what Posthorn does not have. Throws `invalid`, which says what to use instead. */
export function refuseLacking(body: MailBody): void {
  for (const [field, instead] of fields) if (body[field] !== undefined) throw invalid(field, instead)
  for (const group of ['mail_settings', 'tracking_settings'] as const) {
    for (const [name, { enable, substitution_tag: tag }] of Object.entries(body[group] ?? {})) {
      const path = `${group}.${name}`
      if (!Object.hasOwn(settings[group], name)) throw invalid(path, 'is not a known field; check the spelling')
      const instead = settings[group][name]
      if (enable && instead) throw invalid(path, `is not there: ${instead}`)
      if (tag) throw invalid(`${path}.substitution_tag`, 'is not there: the image stands at the end of the HTML')
    }
  }
}

/** Other parts of SendGrid's API and what to use instead. */
export const unserved: Unserved = [
  ['*', /^\/v3\/mail\/batch(\/|$)/, 'Cancel each email with POST /v1/emails/{id}/cancel.'],
  ['*', /^\/v3\/templates(\/|$)/, 'Use /v1/templates.'],
  ['*', /^\/v3\/(suppression|asm)(\/|$)/, 'Use /v1/suppressions and /v1/topics.'],
  ['*', /^\/v3\/(marketing|contactdb|campaigns|senders)(\/|$)/, 'Use /v1/contacts, /v1/segments and /v1/broadcasts.'],
  [
    '*',
    /^\/v3\/(stats|categories|messages|geo|devices|clients|browsers)(\/|$)/,
    'Use /v1/emails and /v1/metrics/emails.',
  ],
  ['*', /^\/v3\/(whitelabel|verified_senders)(\/|$)/, 'Use /v1/domains.'],
  ['*', /^\/v3\/api_keys(\/|$)/, 'Use /v1/api-keys.'],
  ['*', /^\/v3\/user\/webhooks(\/|$)/, 'Use /v1/webhooks.'],
]
