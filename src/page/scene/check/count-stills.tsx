import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { queryClient, useAction } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/form/text-field.tsx';
import { ImageView } from '../../kit/image-view.tsx';
import { count as whole } from '../../kit/numbers.ts';
import { FormFailure } from '../../kit/states.tsx';
import { localeNow, useText } from '../../text/text.ts';
import { SceneZones } from '../scene-zones.tsx';
import styles from './check.module.css';
import { checkKey, checksKey, modesOf, type Opened, type Still } from './checks.ts';
import {
  actionOf,
  addPoint,
  type Counts,
  countOf,
  MODES,
  type Mode,
  markAt,
  NOBODY,
  pointsOf,
  removeLast,
  removePoint,
  setNumber,
} from './counting.ts';

/** What is sent of a still: null where nobody can tell. */
interface Answer {
  readonly at: number;
  readonly counts: Counts | null;
}

/** What was counted on a still before. */
const countsOf = ({ mine }: Still): Counts =>
  mine === null || mine.isSkipped
    ? NOBODY
    : {
        waiting: (mine.waitingPoints as Counts['waiting'] | null) ?? mine.waiting,
        served: (mine.servedPoints as Counts['served'] | null) ?? mine.served,
      };

/** One still after the other: everybody who waits and who is served is tapped, or their number typed. */
export function CountStills({ check, onEnd }: { readonly check: Opened; readonly onEnd: () => void }) {
  const t = useText('check');
  const locale = localeNow();
  const has = modesOf(check.zones);
  const modes = MODES.filter((each) => has[each]);
  const { stills } = check;
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      stills.findIndex(({ mine }) => mine === null),
    ),
  );
  const still = stills[at]!;
  const [counts, showCounts] = useState<Counts>(() => countsOf(still));
  /** Keys may come faster than the page is drawn. */
  const latest = useRef(counts);
  const setCounts = (next: Counts) => {
    latest.current = next;
    showCounts(next);
  };
  const [mode, setMode] = useState<Mode>(modes[0] ?? 'waiting');
  /** The next digit goes on with a number that is being typed. */
  const isTyping = useRef(false);
  /** Since the check was read. */
  const answered = useRef(new Map<number, Counts>());
  const go = (next: number) => {
    setAt(next);
    setCounts(answered.current.get(next) ?? countsOf(stills[next]!));
    setMode(modes[0] ?? 'waiting');
    isTyping.current = false;
  };
  const save = useAction(
    (answer: Answer) =>
      api.PUT('/check-stills/{id}/answer', {
        params: { path: { id: stills[answer.at]!.id } },
        body: answer.counts
          ? { waiting: asBody(answer.counts.waiting), served: asBody(answer.counts.served) }
          : { skipped: true as const },
      }),
    { changes: [checkKey(check.id)] },
  );
  const [isEnding, setEnding] = useState(false);
  /** Answers on their way, one after the other: who counts waits for them only after the last still. */
  const sending = useRef<Answer[]>([]);
  const answer = async (counts: Counts | null) => {
    answered.current.set(at, counts ?? NOBODY);
    const isSending = sending.current.push({ at, counts }) > 1;
    if (at + 1 < stills.length) go(at + 1);
    else setEnding(true);
    if (isSending) return;
    let last = at;
    try {
      for (; sending.current[0]; sending.current.shift()) {
        last = sending.current[0].at;
        await save.mutateAsync(sending.current[0]);
      }
    } catch {
      go(last);
      setEnding(false);
      sending.current = [];
      // Somebody else may have finished or deleted the check.
      return queryClient.invalidateQueries({ queryKey: checksKey(check.sceneId) });
    }
    if (last + 1 === stills.length) onEnd();
  };
  const change = (next: Counts) => {
    isTyping.current = false;
    setCounts(next);
  };
  const onKey = (event: KeyboardEvent) => {
    // Keys belong to a field or a button that has the focus, and to shortcuts of the browser.
    const target = event.target as HTMLElement;
    if (target.closest('input, dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionOf(event.key);
    if (!action || (action.kind === 'save' && target.closest('button, a')) || isEnding) return;
    event.preventDefault();
    if (action.kind === 'mode') {
      if (has[action.mode]) setMode(action.mode);
      isTyping.current = false;
    } else if (action.kind === 'digit') {
      const before = isTyping.current ? countOf(latest.current[mode]) : 0;
      setCounts(setNumber(latest.current, mode, before * 10 + action.digit));
      isTyping.current = true;
    } else if (action.kind === 'undo') change(removeLast(latest.current, mode));
    else if (action.kind === 'back') go(Math.max(0, at - 1));
    else void answer(action.kind === 'skip' ? null : latest.current);
  };
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return (
    <div className={`stack ${styles.counting}`}>
      <h3 aria-live="polite">{t.still(whole(at + 1, locale), whole(stills.length, locale))}</h3>
      <fieldset className="row">
        <legend className="only-for-readers">{t.who}</legend>
        {modes.map((each) => (
          <label key={each} className={`${styles.mode} ${styles[each]}`}>
            <input type="radio" name="mode" checked={mode === each} onChange={() => setMode(each)} />
            {t.modes[each]} <strong>{whole(countOf(counts[each]), locale)}</strong>
          </label>
        ))}
      </fieldset>
      <Tapped
        still={still}
        next={stills[at + 1]}
        check={check}
        counts={counts}
        onAdd={(point) => change(addPoint(counts, mode, point))}
        onRemove={(each, index) => change(removePoint(counts, each, index))}
      />
      <p className={`note ${styles.text}`}>{t.tap}</p>
      <div className={styles.numbers}>
        {modes.map((each) => (
          <TextField
            key={each}
            label={t.number[each]}
            type="number"
            inputMode="numeric"
            min={0}
            max={200}
            value={countOf(counts[each])}
            onChange={(value) => change(setNumber(counts, each, Number(value)))}
          />
        ))}
      </div>
      <FormFailure error={save.error} />
      <div className={styles.actions}>
        <Button disabled={at === 0} onClick={() => go(at - 1)}>
          {t.previous}
        </Button>
        <Button icon="undo" onClick={() => change(removeLast(counts, mode))}>
          {t.undo}
        </Button>
        <Button onClick={() => void answer(null)} disabled={isEnding}>
          {t.skip}
        </Button>
        <Button kind="main" isBusy={isEnding} onClick={() => void answer(latest.current)}>
          {t.save}
        </Button>
      </div>
      <p className={`note ${styles.text} ${styles.keys}`}>{t.keys}</p>
    </div>
  );
}

const asBody = (tally: Counts['waiting']): number | [number, number][] =>
  typeof tally === 'number' ? tally : tally.map(([x, y]) => [x, y]);

interface TappedProps {
  readonly still: Still;
  /** Its picture is loaded before it is wanted. */
  readonly next: Still | undefined;
  readonly check: Opened;
  readonly counts: Counts;
  readonly onAdd: (point: [number, number]) => void;
  readonly onRemove: (mode: Mode, index: number) => void;
}

const part = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

/** The picture with the zones, without our boxes: a tap adds a mark, a tap on a mark removes it. */
function Tapped({ still, next, check, counts, onAdd, onRemove }: TappedProps) {
  const t = useText('check');
  return (
    <div className={styles.picture}>
      {[still, ...(next ? [next] : [])].map(({ id }) => (
        <div key={id} hidden={id !== still.id}>
          <ImageView url={`api/v1/check-stills/${id}/picture`} alt="" isLazy={false} gone={t.gone} />
        </div>
      ))}
      <SceneZones zones={check.zones} />
      <button
        type="button"
        className={styles.taps}
        aria-label={t.picture}
        // A press of the keyboard has no place; numbers are typed then.
        onClick={(event) => {
          if (event.detail === 0) return;
          const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
          const [x, y] = [event.clientX - left, event.clientY - top];
          const hit = markAt(counts, [x, y], [width, height]);
          if (hit) onRemove(hit.mode, hit.index);
          else onAdd([part(x / width), part(y / height)]);
        }}
      />
      {MODES.flatMap((mode) =>
        pointsOf(counts[mode]).map(([x, y], index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: two people may stand at one place
            key={`${mode} ${index}`}
            aria-hidden="true"
            className={`${styles.mark} ${styles[mode]}`}
            style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
          >
            {index + 1}
          </span>
        )),
      )}
    </div>
  );
}
