import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trackableUrl } from './trackable-url.ts'

const pages = {
  'https://shop.example/': 'https://shop.example/',
  ' \n https://shop.example/ \t': 'https://shop.example/',
  'https://shop.ex\r\n\tample/a': 'https://shop.example/a',
  'HTTP://Shop.Example:80/A': 'http://shop.example/A',
  'https://bücher.example/ü?ü#ü': 'https://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC',
  'https://user:pass@shop.example/': 'https://user:pass@shop.example/',
}

for (const [href, url] of Object.entries(pages)) {
  test(`${JSON.stringify(href)} leads to ${url}`, () => assert.equal(trackableUrl(href), url))
}

const others = ['', 'shop.example', '//shop.example/', 'https://', 'https://a b/', 'data:,https://x', 'https://x/{{y}}']

for (const href of others) {
  test(`${JSON.stringify(href)} is left unchanged`, () => assert.equal(trackableUrl(href), null))
}
