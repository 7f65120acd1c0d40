import { html, text } from './message.ts'

/** The broadcast that everybody gets, of about 7 kB, with a field of each kind in each of its parts. */
export const broadcastContent = {
  from: 'Shop <hello@sandbox.test>',
  subject: '{{firstName}}, your parcel to {{properties.city}} has shipped',
  text: `Hello {{firstName}} {{lastName}},\n\nyou have {{properties.points}} points.\n\n${text}\nNo more of these: {{unsubscribeUrl}}\n`,
  html: html
    .replace('<body>', '<body><h1>Hello {{firstName}} {{lastName}}</h1><p>You have {{properties.points}} points.</p>')
    .replace('</body>', '<p><a href="{{unsubscribeUrl}}">No more of these</a></p></body>'),
}

/** The same message as a simple loop makes it: fields replaced in order, nothing escaped. */
export function mergedMessage(turn: number) {
  const unsubscribeUrl = `http://127.0.0.1:3000/unsubscribe?token=${String(turn).padStart(32, 'x')}`
  const values: Record<string, string> = {
    ...{ firstName: 'Maria', lastName: `Person ${turn}`, unsubscribeUrl },
    ...{ 'properties.city': 'Turin', 'properties.points': String(turn % 1000) },
  }
  const merge = (template: string) => template.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => values[name] ?? '')
  const { from, subject, text, html } = broadcastContent
  return {
    ...{ from, to: `person${turn}@example.com`, subject: merge(subject), text: merge(text), html: merge(html) },
    headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}
