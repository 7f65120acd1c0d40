/** Waits until all have ended, and returns their results. Throws the first failure in the order given. */
export async function allEnded<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
