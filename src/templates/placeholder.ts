/**
 * A variable in double braces. No part can match what its neighbour matches, and no placeholder begins inside another's
 * name or blanks. So the time is linear in the length of any text.
 */
export const placeholder = /\{\{[ \t]*([\p{L}\p{M}\p{Nd}_.-]+)[ \t]*\}\}/gu
