/** Why a message failed, in one line, from what the provider told with it. */
export function failureText(data: Record<string, unknown> | null): string {
  const [first] = Array.isArray(data?.errors) ? data.errors : []
  const texts = [first?.message, first?.title, data?.message, data?.error].filter((text) => typeof text === 'string')
  return texts[0]?.slice(0, 500) ?? 'The provider reported that it was not delivered, without a reason.'
}
