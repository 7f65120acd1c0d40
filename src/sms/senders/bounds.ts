/** The longest name. Ours: people find a sender by its name. */
export const nameMax = 200
