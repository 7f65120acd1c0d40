import type { Database } from '../../database.ts'

/**
 * A column whose values are encrypted for `purpose`, each bound to the `id` of its row. A row without a value has null.
 */
export type SealedColumn = {
  table: keyof Database
  column: string
  purpose: string
  /**
   * A start is refused whose secrets do not open these values. `secrets rotate` leaves them as they are while other
   * values need an older secret.
   */
  isCheckValue?: true
}
