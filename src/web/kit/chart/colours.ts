/** The colours of a chart. A canvas knows neither custom properties nor `light-dark()`, so they are resolved first. */
export interface Colours {
  readonly text: string;
  readonly grid: string;
  readonly hatch: string;
  readonly level: string;
  /** Colours of lines, by the number of their token. */
  readonly series: readonly string[];
}

const SERIES = ['--series-1', '--series-2', '--series-3', '--series-4'];

/** The colours of the tokens as they are now, in light or dark. @param within an element of the page */
export function coloursNow(within: HTMLElement): Colours {
  const probe = document.createElement('span');
  within.append(probe);
  const resolved = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    text: resolved('--muted'),
    grid: resolved('--line'),
    hatch: resolved('--line-strong'),
    level: resolved('--bad'),
    series: SERIES.map(resolved),
  };
  probe.remove();
  return colours;
}
