/** The files of a build by their names, which are hashes, written beside them as `manifest.json`. */
export type Manifest = {
  /** The script that the page loads. */
  entry: string
  /** The scripts that the entry imports at once. */
  first: string[]
  style: string
  /** Null without an `icon.svg` in the sources. */
  icon: string | null
  /** All files. Each is stored as `<name>.gz` and `<name>.br`. */
  files: string[]
  /** The paths of the pages below `/app/`, with `:id` for parameters. */
  pages: string[]
}
