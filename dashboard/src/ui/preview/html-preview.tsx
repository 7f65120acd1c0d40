type Props = {
  /** The address of the preview on our server, which carries its own policy. */
  src: string
  /** In pixels; the width of the place if left out. */
  width?: number | undefined
}

/** HTML that others wrote, in a frame that runs nothing. It stands on white, whatever the scheme is. */
export function HtmlPreview({ src, width }: Props) {
  return (
    <div className="preview">
      <iframe
        // Another address in the same frame would be an entry of the browser's history, and Back would lead to it.
        key={src}
        title="HTML preview"
        src={src}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        className="preview-frame"
        style={width === undefined ? undefined : { width }}
      />
    </div>
  )
}
