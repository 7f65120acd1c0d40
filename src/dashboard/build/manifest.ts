/** The files of a build by their names, which are hashes, written beside them as `manifest.json`. */
export type Manifest = {
  /** The script that the page loads. */
  entry: string
  /** The scripts that every page loads with the entry. */
  first: string[]
  style: string
  /** Null without an `icon.svg` in the sources. */
  icon: string | null
  /** All files. Each is stored as `<name>.gz` and `<name>.br`. */
  files: string[]
  /**
   * By the path of each page below `/app/`, with `:id` for parameters: the scripts that it needs beyond the first ones.
   */
  pages: Record<string, string[]>
}
