/** Paths of 24 × 24 icons, drawn with lines. */
const ICONS = {
  now: 'M4 20v-7m5 7V9m5 11v-9m5 9V5',
  wall: 'M3 5h18v11H3zM8 20h8m-4-4v4',
  history: 'M3 17l5-6 4 3 6-8M3 21h18',
  feed: 'M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7m4 10a2 2 0 0 0 4 0',
  rules: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 5v4M9 15v4',
  cameras: 'M3 7h11v10H3zm11 4 7-4v10l-7-4',
  camerasOff: 'M3 3l18 18M6 7H3v10h11v-2M10 7h4v4l7-4v10l-3-1.700',
  recordings: 'M4 5h16v14H4zm6 4v6l5-3z',
  usage: 'M4 19a9 9 0 1 1 16 0M12 14l4-5',
  webhook: 'M9 8a3 3 0 1 1 4.5 2.6L10 17m-1 0a3 3 0 1 1-3-3m4 3h6m0 3a3 3 0 1 0-1-5.8L12 9',
  notify: 'M4 6h16v12H4zm0 1 8 6 8-6',
  keys: 'M14 10a4 4 0 1 0-2.5 3.7L13 15h2v2h2v2h3v-3l-6.3-6.3',
  privacy: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zm-3 9 2 2 4-4',
  admin: 'M4 5h16v5H4zm0 9h16v5H4zM8 7.5h.01M8 16.5h.01',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  plus: 'M12 5v14M5 12h14',
  check: 'm5 12 5 5L20 7',
  cross: 'M6 6l12 12M18 6 6 18',
  warning: 'M12 4 2.5 20h19zM12 10v4m0 3h.01',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5m0 3h.01',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 8v5m0-8h.01',
  off: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M6 6l12 12',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  down: 'M5 9l7 7 7-7',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14m5 12 4 4',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  undo: 'M9 14 4 9l5-5M4 9h10a5.500 5.500 0 0 1 0 11h-3',
  redo: 'm15 14 5-5-5-5m5 5H10a5.500 5.500 0 0 0 0 11h3',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  copy: 'M8 8h11v12H8zM5 16V4h11',
  download: 'M12 4v11m-5-4 5 5 5-5M4 20h16',
  upload: 'M12 20V8m-5 4 5-5 5 5M4 4h16',
  play: 'M7 4l13 8-13 8z',
  halt: 'M6 6h12v12H6z',
  restart: 'M19.500 13A7.500 7.500 0 1 1 17 6.400M17.500 2v5h-5',
  pause: 'M8 5v14m8-14v14',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 4v5l3 3',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7m-7 9c0-4 3-6 7-6s7 2 7 6M17 11a3 3 0 0 0 0-6m2 9c2 .7 3 2.600 3 6',
  offline:
    'M3 3l18 18M5 12a10 10 0 0 1 4-2.500m6 .5a10 10 0 0 1 4 2M8.500 15.500a5 5 0 0 1 6-.5M12 19h.01M2 8.500A15 15 0 0 1 6 6m5-1.500a15 15 0 0 1 11 4',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6m0-6v3m0 12v3M3 12h3m12 0h3M5.600 5.600l2.100 2.100m8.600 8.600 2.100 2.100m0-12.800-2.100 2.100m-8.600 8.600-2.100 2.100',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-8 9c0-5 4-7 8-7s8 2 8 7',
} as const;

export type IconName = keyof typeof ICONS;

interface IconProps {
  readonly name: IconName;
  /** Said to screen readers; without it the icon is decoration. */
  readonly label?: string;
  readonly size?: number;
}

export function Icon({ name, label, size = 22 }: IconProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is either named or hidden
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={ICONS[name]} />
    </svg>
  );
}
