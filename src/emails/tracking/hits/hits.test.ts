import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'
import { databaseProxy } from '../../../../test/database-proxy.ts'
import { eventsOf, person, send, sendTracked, sentHtml, trackingTeam } from '../fixtures/tracked-mail.ts'

const posthorn = await createTestApp({ PUBLIC_REQUESTS_PER_MINUTE: '5' })

test('a tracked link redirects to its page, and the click is reported', async () => {
  const team = await trackingTeam(posthorn)
  const url = 'https://shop.example/offers?b=1&c=%C3%BC#top'
  const { id, links, pixel } = await sendTracked(
    posthorn,
    team,
    `<p><a href="${url.replace('&', '&amp;')}">Offers</a></p>`,
  )
  assert.match(links[0]!, /^\/t\/c\/[\w-]+$/)
  const answer = await posthorn.anyone.get(links[0]!, person)
  assert.deepEqual([answer.status, answer.headers.location, answer.headers['cache-control']], [302, url, 'no-store'])
  const [event] = await eventsOf(posthorn, team, id, 'clicked', 1)
  const [sent] = await eventsOf(posthorn, team, id, 'sent', 1)
  assert.deepEqual(event.data, {
    notificationType: 'Click',
    click: {
      timestamp: posthorn.clock.now().toISOString(),
      ipAddress: '127.0.0.1',
      userAgent: person['user-agent'],
      link: url,
    },
    mail: sent.data.mail,
    bot: false,
  })
  const image = await posthorn.anyone.get(pixel, person)
  assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/gif'])
  assert.equal(image.headers['cross-origin-resource-policy'], 'cross-origin')
  const [opened] = await eventsOf(posthorn, team, id, 'opened', 1)
  const { link, ...seen } = event.data.click
  assert.deepEqual(opened.data, { notificationType: 'Open', open: seen, mail: sent.data.mail, bot: false })
  assert.equal((await team.api.get(`/v1/emails/${id}`)).body.status, 'delivered')
})

test('a link that was changed, or has the path of the image, is not valid', async () => {
  const team = await trackingTeam(posthorn)
  const { id, links, pixel } = await sendTracked(posthorn, team, '<a href="https://shop.example/">Shop</a>')
  const good = links[0]!
  const changed = [...good].map((letter, at) =>
    at < '/t/c/'.length ? null : `${good.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${good.slice(at + 1)}`,
  )
  const asPixel = pixel.replace('/t/o/', '/t/c/')
  const asClick = good.replace('/t/c/', '/t/o/')
  for (const path of [
    ...changed.flatMap((path) => path ?? []),
    `${good}A`,
    `${good}=`,
    `${good}/`,
    asPixel,
    asClick,
    '/t/c/',
    '/t/o/x',
  ]) {
    const answer = await posthorn.anyone.get(path, person)
    assert.equal(answer.status, 404, path)
    assert.equal(answer.headers.location, undefined)
    assert.match(answer.headers['content-type']!, /^text\/html/)
    assert.match(answer.headers['content-security-policy']!, /default-src 'none'/)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
  await eventsOf(posthorn, team, id, 'clicked', 0)
})

test('any number of readers behind one address reach the page, with any parameters added to the link', async () => {
  const team = await trackingTeam(posthorn)
  const { links } = await sendTracked(posthorn, team, '<a href="https://shop.example/">Shop</a>')
  for (let count = 0; count < 20; count++) {
    const answer = await posthorn.anyone.get(`${links[0]}?utm_source=${count}`, person)
    assert.equal(answer.headers.location, 'https://shop.example/', answer.text)
  }
})

test('a HEAD request is answered and not reported', async () => {
  const team = await trackingTeam(posthorn)
  const { id, links, pixel } = await sendTracked(posthorn, team, '<a href="https://shop.example/">Shop</a>')
  for (const url of [links[0]!, pixel]) {
    const answer = await posthorn.server.inject({ method: 'HEAD', url, headers: person })
    assert.equal(answer.statusCode, url === pixel ? 200 : 302)
  }
  await posthorn.anyone.get(links[0]!, person)
  await eventsOf(posthorn, team, id, 'clicked', 1)
  await eventsOf(posthorn, team, id, 'opened', 0)
})

test('machines are recorded and marked: by their user agent, by clicking too soon, or by following many links', async () => {
  const team = await trackingTeam(posthorn)
  const html = [1, 2, 3, 4].map((page) => `<a href="https://shop.example/${page}">x</a>`).join('')
  const early = await send(team, { html })
  const [link] = [...(await sentHtml(team, early)).matchAll(/href="http:\/\/localhost:3000([^"]*)"/g)].map(
    ([, path]) => path,
  )
  await posthorn.anyone.get(link!, person)
  const [tooSoon] = await eventsOf(posthorn, team, early, 'clicked', 1)
  assert.deepEqual([tooSoon.data.bot, tooSoon.data.botReason], [true, 'too_soon'])

  const { id, links, pixel } = await sendTracked(posthorn, team, html)
  await posthorn.anyone.get(pixel, { 'user-agent': 'Mozilla/5.0' })
  const [opened] = await eventsOf(posthorn, team, id, 'opened', 1)
  assert.deepEqual([opened.data.bot, opened.data.botReason], [true, 'privacy_proxy'])

  for (const [index, path] of links.entries()) {
    await posthorn.anyone.get(path, person)
    // Recorded clicks count as much as clicks of the same batch.
    if (index === 1) await eventsOf(posthorn, team, id, 'clicked', 2)
  }
  const clicks = await eventsOf(posthorn, team, id, 'clicked', 4)
  const reasons = clicks.map(({ data }: { data: { botReason?: string } }) => data.botReason ?? null).reverse()
  assert.deepEqual(reasons, [null, null, 'many_links', 'many_links'])

  const storm = await sendTracked(posthorn, team, html)
  await Promise.all(storm.links.map((path) => posthorn.anyone.get(path, person)))
  const stormy = await eventsOf(posthorn, team, storm.id, 'clicked', 4)
  assert.equal(stormy.filter(({ data }: { data: { bot: boolean } }) => data.bot).length, 2)
})

test('one link cannot fill the table, and hits of machines do not use up the limit for people', async () => {
  const team = await trackingTeam(posthorn)
  const { id, pixel } = await sendTracked(posthorn, team, '<p>Hello</p>')
  for (const length of [80, 40, 10]) {
    await Promise.all(Array.from({ length }, () => posthorn.anyone.get(pixel, { 'user-agent': 'curl/8.0' })))
    await eventsOf(posthorn, team, id, 'opened', length === 80 ? 80 : 100)
  }
  await posthorn.anyone.get(pixel, person)
  const opened = await eventsOf(posthorn, team, id, 'opened', 101)
  assert.equal(opened[0].data.bot, false)
})

test('links of a deleted email are still followed', async () => {
  const team = await trackingTeam(posthorn)
  const { id, links } = await sendTracked(posthorn, team, '<a href="https://shop.example/">Shop</a>')
  await posthorn.app.transaction((tx) =>
    tx.db.deleteFrom('emails').where('team_id', '=', team.id).where('id', '=', id).execute(),
  )
  assert.equal((await posthorn.anyone.get(links[0]!, person)).status, 302)
})

test('a reader reaches the page without the database, and the click is reported once it is back', async () => {
  const proxy = databaseProxy()
  after(() => proxy.close())
  const away = await createTestApp({}, { through: proxy.through })
  const team = await trackingTeam(away)
  const { id, links } = await sendTracked(away, team, '<a href="https://shop.example/">Shop</a>')
  proxy.cut()
  const answer = await away.anyone.get(links[0]!, person)
  assert.deepEqual([answer.status, answer.headers.location], [302, 'https://shop.example/'])
  proxy.mend()
  await eventsOf(away, team, id, 'clicked', 1)
})

test('hits that are being recorded when a process stops are recorded', async () => {
  const stopped = await createTestApp()
  const team = await trackingTeam(stopped)
  const { pixel } = await sendTracked(stopped, team, '<p>Hello</p>')
  await stopped.anyone.get(pixel, person)
  await stopped.close(1000)
  const types = await stopped.app.db.selectFrom('email_events').select('type').execute()
  assert.deepEqual(types.map(({ type }) => type).sort(), ['delivered', 'opened', 'sent'])
})
