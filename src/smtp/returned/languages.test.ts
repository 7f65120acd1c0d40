import { test } from 'node:test'
import { ended, guessed, nothing, type Outcome, openOutcomes, report, suppressed, words } from './fixtures/outcomes.ts'

const { check } = await openOutcomes()
const utf8 = 'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n'
const html = utf8.replace('plain', 'html')
const automatic = 'Auto-Submitted: auto-replied\n'
const inWord = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

const replies: [subject: string, text: string][] = [
  [
    'Automatische Antwort: Hallo',
    'Ich bin im Urlaub. Die Adresse ist Berlin unbekannt.\nada@example.com\nZimmer 5.1.10',
  ],
  ['Abwesenheitsnotiz: Hallo', 'ada@example.com\nTelefon: 550'],
  ['AW: Réponse automatique : Bonjour', 'ada@example.com : échec du bureau 5.1.1'],
  ['Respuesta automática: Hola', 'ada@example.com: 550 rechazada'],
  ['Risposta automatica: Ciao', 'ada@example.com 5.1.1 sconosciuto'],
  ['Automatisch antwoord: Hallo', 'ada@example.com 5.1.1 onbekend'],
  ['自動応答: こんにちは', 'ada@example.com 5.1.1 存在しません'],
  ['自动答复: 你好', 'ada@example.com 5.1.1 不存在'],
  ['Автоматический ответ: Привет', 'ada@example.com 5.1.1 неизвестно'],
  ['Hei', 'ada@example.com on lomalla. Huone 5.1.1, puhelin: 550'],
]
for (const [subject, text] of replies) {
  test(`an automatic reply of a postmaster is no bounce: ${subject}`, () =>
    check(words(text, inWord(subject), automatic + utf8).replace('MAILER-DAEMON', 'postmaster'), nothing))
}

test('an automatic reply that Sieve marks as one is no bounce, whatever its words', () =>
  check(words('ada@example.com: 550 5.1.1 failed', 'Hei', `Auto-Submitted: auto-replied (vacation)\n${utf8}`), nothing))

const bounces: [subject: string, text: string, outcome: Outcome][] = [
  ['Unzustellbar: Hallo', 'Nicht zugestellt:\n\n  ada@example.com\n    550 Benutzer gibt es nicht', suppressed],
  ['Message non distribuable', 'Il n’a pas pu être remis.\n<ada@example.com>: 550 Utilisateur inconnu', suppressed],
  ['Mensaje devuelto', 'No se pudo entregar.\n<ada@example.com>: 550 Usuario no existe', suppressed],
  ['配信不能', '<ada@example.com>: 550 ユーザーが存在しません', suppressed],
  ['Toimitus', '<ada@example.com>: 550 5.1.1 tuntematon', suppressed],
  ['Unzustellbar: Hallo', '<ada@example.com>: 550 5.7.1 abgelehnt', ended],
  ['Unzustellbar: Hallo', 'An ada@example.com konnte nicht zugestellt werden.', guessed],
  ['Verzögert: Hallo', 'ada@example.com: 450 belegt', { status: 'delayed', event: 'delivery_delayed' }],
]
for (const [subject, text, outcome] of bounces) {
  test(`a bounce in another language counts by its code: ${subject}, ${text.slice(-20)}`, () =>
    check(words(text, inWord(subject), automatic + utf8), outcome))
}

const page = (reason: string) =>
  `<html><head><title>550 5.1.1</title><style>p { margin: 5.1.1 }</style></head><body><p>We could not deliver your
message to:</p><table><tr><td>&lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt;:</td><td>${reason}</td></tr></table>`

test('a bounce as HTML alone counts as its text does', async () => {
  await check(words(page('550&nbsp;5.1.1 no such user'), 'Undeliverable', html), suppressed)
  await check(words(page('550 no such <b>user</b>'), 'Undeliverable', html), suppressed)
  await check(words(page('550 5.7.1 policy'), 'Undeliverable', html), ended)
  await check(words(page('gone'), 'Undeliverable', html), guessed)
})

test('a receipt for a message that was read or deleted is no bounce, also from a mailer-daemon', async () => {
  for (const is of ['displayed', 'deleted']) {
    const text = 'Your message to ada@example.com was not read. It failed: 550 5.1.1'
    const receipt = report(
      `Final-Recipient: rfc822; ada@example.com\nDisposition: automatic-action/MDN-sent; ${is}`,
      text,
    )
    await check(receipt.replaceAll('delivery-status', 'disposition-notification'), nothing)
  }
})
