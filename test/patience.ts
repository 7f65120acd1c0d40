/**
 * The longest wait for something that happens, in ms. It only ends a test that would wait for ever, so it is far longer than
 * the thing takes. `TEST_PATIENCE=3` makes it three times as long, for a machine that is slow or busy.
 */
export const patienceMs = 180_000 * Number(process.env.TEST_PATIENCE ?? 1)
