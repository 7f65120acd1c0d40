import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'

/** More than the controls of any page. */
const stepsMax = 150

/** Uses a page as somebody without a mouse does. */
export function keyboardOf(page: Page) {
  /** Presses Tab until the control has the focus. */
  async function to(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await control.waitFor()
    for (let step = 0; step < stepsMax; step++) {
      if (await control.evaluate((element) => element.matches(':focus'))) return
      await page.keyboard.press(key)
    }
    assert.fail(`${key} does not lead to ${control} on ${page.url()}`)
  }

  /** Goes to the control and presses a key there. */
  async function press(control: Locator, key = 'Enter'): Promise<void> {
    await to(control)
    await page.keyboard.press(key)
  }

  /** Goes to the field and types in place of what it holds. */
  async function type(field: Locator, text: string): Promise<void> {
    await to(field)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  }

  /** Goes to the list of choices and types the beginning of one. */
  async function choose(list: Locator, label: string): Promise<void> {
    await to(list)
    await page.keyboard.type(label)
    await eventually(async () => {
      const chosen = await list.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]?.label)
      assert.ok(chosen?.startsWith(label), `Typing ${label} chose ${chosen}.`)
    })
  }

  /** Presses `g` and a letter. The second key follows the first within a second, however busy this process is. */
  async function go(letter: string): Promise<void> {
    await Promise.all(['g', letter].map((key) => page.keyboard.press(key)))
  }

  /** Opens a page by its address, and goes to its content by the first link. */
  async function goTo(url: string): Promise<void> {
    await page.goto(url)
    await press(page.getByRole('link', { name: 'Skip to content' }))
  }

  return { to, press, type, choose, go, goTo }
}

export type Keyboard = ReturnType<typeof keyboardOf>
