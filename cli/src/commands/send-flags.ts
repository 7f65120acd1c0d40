import type { Flags } from '../flags.ts'

export const sendFlags = {
  from: { kind: 'text', value: 'ADDRESS', required: true, about: 'Such as "Shop <hello@shop.com>".' },
  to: { kind: 'list', value: 'ADDRESS', required: true, about: 'May be given many times, as may --cc and --bcc.' },
  cc: { kind: 'list', value: 'ADDRESS' },
  bcc: { kind: 'list', value: 'ADDRESS' },
  'reply-to': { kind: 'text', value: 'ADDRESS' },
  subject: { kind: 'text', required: true },
  html: { kind: 'text', value: 'HTML' },
  text: { kind: 'text', about: 'Without content flags the text comes from a pipe.' },
  'html-file': { kind: 'text', value: 'FILE', about: 'A file with the HTML.' },
  template: { kind: 'text', value: 'NAME|ID', about: 'A published template.' },
  var: {
    kind: 'list',
    value: 'k=v',
    about: 'A variable of the template. May be given many times, as may --attach and --tag.',
  },
  attach: { kind: 'list', value: 'FILE' },
  tag: { kind: 'list', value: 'k=v' },
  at: { kind: 'text', value: 'TIME', about: 'When to send it, such as 2031-01-31T09:30:00Z.' },
  'idempotency-key': { kind: 'text', value: 'TEXT', about: 'A repeated request with this key sends nothing again.' },
} as const satisfies Flags
