/** The limits of a day whose use is watched. */
export const limitNames = ['dailyEmailLimit', 'dailySmsLimit', 'dailySmsSpendLimit'] as const

export type LimitName = (typeof limitNames)[number]
