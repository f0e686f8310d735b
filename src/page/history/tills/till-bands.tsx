import { type PointerEvent, useMemo, useState } from 'react';
import { type Bucket, indexAt } from '../../kit/chart/points.ts';
import { timeTicks } from '../../kit/chart/ticks.ts';
import { spanLabel } from '../../kit/chart/time-labels.ts';
import { duration, percent } from '../../kit/numbers.ts';
import { Titles } from '../../kit/table.tsx';
import { TillLamp } from '../../kit/tills/till-lamp.tsx';
import { TILL_STATES, type TillState } from '../../kit/tills/till-state.ts';
import { showTime } from '../../kit/time.ts';
import { useIsWide } from '../../kit/use-is-wide.ts';
import { localeNow, useText } from '../../text/text.ts';
import {
  BAND,
  sharePaths,
  spanAt,
  spanPaths,
  spansOf,
  type TillHistory,
  type TillOfHistory,
} from './bands.ts';
import styles from './tills.module.css';

interface TillBandsProps {
  readonly found: TillHistory;
  readonly buckets: readonly Bucket[];
  readonly timezone: string;
}

/** A label behind this share of the axis would leave it. */
const LAST_LABEL = 0.88;

interface Pointed {
  readonly tillId: string;
  readonly ms: number;
}

/** A band of states for each till, one below the other over the same time. */
export function TillBands({ found, buckets, timezone }: TillBandsProps) {
  const t = useText('tills');
  const locale = localeNow();
  const isWide = useIsWide();
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const range = useMemo(
    () => ({ fromMs: Date.parse(found.from), toMs: Date.parse(found.to) }),
    [found.from, found.to],
  );
  const ticks = timeTicks(
    buckets.map(({ fromMs }) => fromMs),
    { timezone, locale, most: isWide ? 12 : 5 },
  );
  const isBySpan = found.tills.some(({ spans }) => spans !== null);
  const length = range.toMs - range.fromMs;
  const point = (tillId: string) => (event: PointerEvent<Element>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointed({ tillId, ms: range.fromMs + ((event.clientX - left) / width) * length });
  };
  const till = found.tills.find(({ tillId }) => tillId === pointed?.tillId);
  return (
    <section className={`card ${styles.card}`} aria-label={t.bands}>
      <h2>{t.bands}</h2>
      <ul className="legend note">
        {TILL_STATES.map((state) => (
          <li key={state}>
            <Swatch state={state} /> {t.states[state]}
          </li>
        ))}
      </ul>
      <p className={`note ${styles.pointed}`} aria-hidden="true">
        {till && pointed
          ? `${till.name}: ${sayAt(till, pointed.ms, { buckets, timezone, locale, t })}`
          : isBySpan
            ? t.hint
            : t.hintShares}
      </p>
      <div className={styles.bands} onPointerLeave={() => setPointed(null)}>
        {found.tills.map((each) => (
          <Band key={each.tillId} till={each} {...{ buckets, range }} onPoint={point(each.tillId)} />
        ))}
        <div className={`note ${styles.axis}`} aria-hidden="true">
          {ticks
            .map(({ ms, label }) => ({ label, at: (ms - range.fromMs) / length }))
            .filter(({ at }) => at < LAST_LABEL)
            .map(({ label, at }) => (
              <span key={at} style={{ left: `${at * 100}%` }}>
                {label}
              </span>
            ))}
        </div>
      </div>
      {isBySpan && <StateTable tills={found.tills} timezone={timezone} />}
    </section>
  );
}

/** The colour and the height of a state as in a band. */
const Swatch = ({ state }: { readonly state: TillState }) => (
  <svg
    viewBox={`0 0 ${BAND.height} ${BAND.height}`}
    width={16}
    height={16}
    className={styles.swatch}
    aria-hidden
    focusable="false"
  >
    <path
      d={spanPaths([{ state, fromMs: 0, toMs: 1 }], { fromMs: 0, toMs: BAND.width / BAND.height })[state]}
      className={styles[state]}
    />
  </svg>
);

interface BandProps {
  readonly till: TillOfHistory;
  readonly buckets: readonly Bucket[];
  readonly range: { readonly fromMs: number; readonly toMs: number };
  readonly onPoint: (event: PointerEvent<Element>) => void;
}

function Band({ till, buckets, range, onPoint }: BandProps) {
  const t = useText('tills');
  const locale = localeNow();
  const paths = useMemo(
    () => (till.spans ? spanPaths(spansOf(till), range) : sharePaths(till, buckets, range)),
    [till, buckets, range],
  );
  const said = TILL_STATES.filter((state) => till[`${state}Seconds`] > 0).map(
    (state) => `${t.states[state]} ${duration(till[`${state}Seconds`], locale)}`,
  );
  return (
    <>
      <span className={styles.name}>{till.name}</span>
      <svg
        viewBox={`0 0 ${BAND.width} ${BAND.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${till.name}: ${said.join(', ')}`}
        className={styles.band}
        onPointerMove={onPoint}
        onPointerDown={onPoint}
      >
        {TILL_STATES.map((state) => (
          <path key={state} d={paths[state]} className={styles[state]} />
        ))}
      </svg>
    </>
  );
}

interface Said {
  readonly buckets: readonly Bucket[];
  readonly timezone: string;
  readonly locale: string;
  readonly t: ReturnType<typeof useText<'tills'>>;
}

/** What a till did at a moment, or in its bucket. */
function sayAt(till: TillOfHistory, ms: number, { buckets, timezone, locale, t }: Said): string {
  if (till.spans) {
    const span = spanAt(spansOf(till), ms);
    if (!span) return '–';
    const time = (at: number) => showTime(new Date(at).toISOString(), 'seconds', { locale, timezone });
    return `${t.states[span.state]}, ${time(span.fromMs)} – ${time(span.toMs)}`;
  }
  const at = indexAt(buckets, ms);
  const seconds = TILL_STATES.map((state) => [state, till.series[`${state}Seconds`][at] ?? 0] as const);
  const all = seconds.reduce((sum, [, each]) => sum + each, 0);
  const shares = seconds
    .filter(([, each]) => each > 0)
    .map(([state, each]) => `${t.states[state]} ${percent(each / all, locale)}`);
  return [spanLabel(buckets[at]!, { timezone, locale }), ...shares].join(', ');
}

/** The states of the bands as a table, made when it is opened. */
function StateTable({
  tills,
  timezone,
}: {
  readonly tills: readonly TillOfHistory[];
  readonly timezone: string;
}) {
  const t = useText('tills');
  const locale = localeNow();
  const [isOpen, setIsOpen] = useState(false);
  const time = (at: number) => showTime(new Date(at).toISOString(), 'seconds', { locale, timezone });
  return (
    <details className={styles.details} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t.asTable}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={t.asTable}>
          {tills.map((till) => (
            <table key={till.tillId}>
              <caption>{till.name}</caption>
              <thead>
                <tr>
                  <Titles of={[t.from, t.to, t.state, t.length]} />
                </tr>
              </thead>
              <tbody>
                {spansOf(till).map(({ state, fromMs, toMs }) => (
                  <tr key={fromMs}>
                    <th scope="row">{time(fromMs)}</th>
                    <td>{time(toMs)}</td>
                    <td>
                      <TillLamp state={state} size={12} /> {t.states[state]}
                    </td>
                    <td>{duration((toMs - fromMs) / 1000, locale)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ))}
        </section>
      )}
    </details>
  );
}
