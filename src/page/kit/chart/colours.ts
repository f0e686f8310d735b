/** The colours of a chart. A canvas knows neither custom properties nor `light-dark()`, so they are resolved first. */
export interface Colours {
  readonly text: string;
  readonly grid: string;
  readonly hatch: string;
  readonly level: string;
  /** Of a line to compare with. */
  readonly other: string;
  /** The colour of a line, by the number of its token. */
  readonly series: (token: 1 | 2 | 3 | 4) => string;
}

/** The colours of the tokens as they are now, in light or dark. @param within an element of the page */
export function coloursNow(within: HTMLElement): Colours {
  // Each gets a new element: the colour of one that is there already changes by a transition.
  const resolved = (token: string): string => {
    const probe = document.createElement('span');
    probe.style.color = `var(${token})`;
    within.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return {
    text: resolved('--muted'),
    grid: resolved('--line'),
    hatch: resolved('--line-strong'),
    level: resolved('--bad'),
    other: resolved('--line-strong'),
    series: (token) => resolved(`--series-${token}`),
  };
}
