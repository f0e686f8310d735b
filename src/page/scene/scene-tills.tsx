import { useNow } from '../kit/age.tsx';
import { duration } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import type { Point } from '../kit/polygon.tsx';
import { TillLamp } from '../kit/tills/till-lamp.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './scene-tills.module.css';
import type { LiveTill } from './tills-shown.ts';
import { labelPlace } from './zone-places.ts';

/** How long a till has been in its state; empty where that is not known. */
function useTimer({ since }: Pick<LiveTill, 'since'>): string {
  const now = useNow();
  return since === null ? '' : duration(Math.max(0, now - Date.parse(since)) / 1000, localeNow());
}

/** What a till does, with a word where nobody can be sure of it. */
const wordOf = (
  t: ReturnType<typeof useText<'tills'>>,
  state: LiveTill['state'],
  confidence: LiveTill['confidence'],
): string => (confidence === 'low' ? t.unsure(t.states[state]) : t.states[state]);

interface TillLabelProps {
  readonly till: Pick<LiveTill, 'id' | 'name'> & Partial<LiveTill>;
  readonly points: readonly Point[];
  /** Width of the narrowest till of the scene: all labels show as much as its label can. */
  readonly narrowest: number;
  /** With what the names of all tills begin: where they are narrow, what follows tells them apart. */
  readonly start: string;
}

const xOf = ([x]: Point): number => x;
/** Width of a till as a share of the picture. */
export const widthOf = (points: readonly Point[]): number =>
  Math.max(...points.map(xOf)) - Math.min(...points.map(xOf));

/** The lamp of a till at its place in the picture. Screen readers have the list below. */
export function TillLabel({ till, points, narrowest, start }: TillLabelProps) {
  const t = useText('tills');
  const timer = useTimer({ since: till.since ?? null });
  const [x, y] = labelPlace(points);
  return (
    <span
      aria-hidden="true"
      className={styles.label}
      data-narrow={narrowest < TINY ? 'tiny' : narrowest < NARROW || undefined}
      style={{ left: `${x * 100}%`, top: `${y * 100}%`, maxWidth: `max(48px, ${widthOf(points) * 100}%)` }}
    >
      <span className={styles.name}>
        {till.state && <TillLamp state={till.state} isUnsure={till.confidence === 'low'} size={12} />}
        <b data-plain={start === '' || undefined}>
          <span>{start}</span>
          {till.name.slice(start.length)}
        </b>
      </span>
      {till.state && (
        <span className={styles.state}>
          <span>{wordOf(t, till.state, till.confidence)}</span>
          {timer}
        </span>
      )}
    </span>
  );
}

/** Share of the width of a picture in which a word and a time do not fit on a phone. */
const NARROW = 0.26;
/** In which even the time does not fit: the lamp alone tells the state, beside what its name has of its own. */
const TINY = 0.12;

/** The tills of a scene as a list: name, state and for how long. */
export function TillList({ tills }: { readonly tills: readonly LiveTill[] }) {
  const t = useText('tills');
  return (
    <Section title={t.title}>
      <ul className={`cards ${styles.tills}`}>
        {tills.map((till) => (
          <TillItem key={till.id} till={till} />
        ))}
      </ul>
    </Section>
  );
}

function TillItem({ till }: { readonly till: LiveTill }) {
  const t = useText('tills');
  const timer = useTimer(till);
  const word = wordOf(t, till.state, till.confidence);
  return (
    <li className="box">
      <TillLamp state={till.state} isUnsure={till.confidence === 'low'} size={20} />
      <strong>{till.name}</strong>
      <span>{timer === '' ? word : t.stateFor(word, timer)}</span>
    </li>
  );
}
