import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../../../test/app.ts'
import { serve } from '../../../../platform/egress/fixtures/loopback.ts'
import { stripeClient, stripeFailure } from './client.ts'

test('a request to Stripe ends in time, also if its answer comes byte by byte', async () => {
  const port = await serve((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    const dripping = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(dripping))
  })
  const { app } = await sharedTestApp()
  const account = { secretKey: 'sk_test_of_tests', apiBase: `http://127.0.0.1:${port}`, timeoutMs: 100 }
  const stripe = await stripeClient(account, app.names)()
  await assert.rejects(stripe.prices.list(), (error) => /cannot be reached/.test(stripeFailure(error).message))
})
