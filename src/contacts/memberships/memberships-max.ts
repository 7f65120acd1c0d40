/** The most segments, and the most topics, that an answer names for one contact. The newest are named. */
export const membershipsMax = 1000
