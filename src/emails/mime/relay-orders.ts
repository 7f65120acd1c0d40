/**
 * Tells whether a header field controls the mail service that relays a message, or speaks in its name. All teams share
 * the operator's account there, so no team may write such fields, whichever provider is configured.
 */
export function isRelayOrder(name: string): boolean {
  const lower = name.toLowerCase()
  return exact.has(lower) || prefixes.some((prefix) => lower.startsWith(prefix))
}

const exact = new Set([
  // SendGrid: recipients, templates and schedules in one JSON value.
  'x-smtpapi',
  // Some servers send bounces there instead of to the envelope sender.
  'errors-to',
  'return-path',
  // Results of a server's checks, which the next server believes if it trusts the relay.
  'authentication-results',
  'received-spf',
  // PowerMTA: the pool of addresses to send from.
  'x-virtual-mta',
])

const prefixes = [
  'arc-',
  // RFC 5322 3.6.6: fields of a resent message; some servers take recipients from them.
  'resent-',
  // SendGrid.
  'x-sg-',
  'x-sendgrid-',
  // Mailgun: dry runs, tags, delivery times, tracking.
  'x-mailgun-',
  // Mandrill, Mailchimp: templates, subaccounts, metadata, Bcc.
  'x-mc-',
  'x-mandrill-',
  // SparkPost, Momentum: campaigns, pools, archives.
  'x-msys-',
  'x-sparkpost-',
  // Postmark: streams, tags.
  'x-pm-',
  'x-postmark-',
  // Amazon SES: configuration sets, tags, identities of other owners.
  'x-ses-',
  // Mailjet: templates, campaigns.
  'x-mailjet-',
  'x-mj-',
  // Elastic Email: pools, channels.
  'x-elastic',
  // Brevo, formerly Sendinblue.
  'x-brevo-',
  'x-sib-',
  'x-sendinblue-',
  'x-mailin-',
  // MailerSend, SocketLabs, SMTP2GO, MailChannels, GreenArrow.
  'x-mailersend-',
  'x-socketlabs-',
  'x-smtp2go-',
  'x-mailchannels-',
  'x-greenarrow-',
  // Exchange: the verdict of its filters.
  'x-ms-exchange-organization-',
]
