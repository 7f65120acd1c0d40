/** Paths on a grid of 16, drawn with a line of 1.5. */
const paths = {
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  down: 'M4 6l4 4 4-4',
  left: 'M10 4L6 8l4 4',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3',
  download: 'M8 2.5v7.5M4.5 7L8 10.5 11.5 7M3 13.5h10',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
}
export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
