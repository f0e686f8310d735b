import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { parseDate } from '../kit/timezone/wall-clock.ts';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import styles from './history.module.css';
import type { Shown } from './shown.ts';
import type { Choice } from './subjects.ts';
import {
  type BucketName,
  bucketsFor,
  COMPARISONS,
  type Comparison,
  LENGTHS,
  moved,
  placeOf,
  wholeDays,
} from './view.ts';

interface RangeBarProps {
  readonly choices: readonly Choice[];
  readonly shown: Shown;
  readonly today: string;
}

/** Where and when: everything here stands in the address. */
export function RangeBar({ choices, shown, today }: RangeBarProps) {
  const t = useText('history');
  const { view, range, show } = shown;
  const isNow = view.lastDay === undefined && !view.span;
  return (
    <div className={styles.bar}>
      <Field label={t.where}>{(attributes) => <SubjectSelect {...{ attributes, choices, shown }} />}</Field>
      <fieldset className={styles.lengths}>
        <legend>{t.range}</legend>
        <div className={styles.row}>
          {LENGTHS.map((length) => (
            <Button
              key={length}
              kind={view.length === length && !view.span ? 'main' : 'normal'}
              aria-pressed={view.length === length && !view.span}
              onClick={() => show({ ...(view.span && wholeDays(range, today)), length, bucket: undefined })}
            >
              {t.lengths[length]}
            </Button>
          ))}
        </div>
      </fieldset>
      {view.span ? (
        <Button icon="back" onClick={() => show(wholeDays(range, today))}>
          {t.wholeDays}
        </Button>
      ) : (
        <div className={styles.days}>
          <Button icon="back" aria-label={t.earlier} onClick={() => show(moved(view, -1, today))} />
          <Field label={t.lastDay[view.length]}>
            {(attributes) => (
              <input
                {...attributes}
                type="date"
                required
                max={today}
                min="2001-01-01"
                value={range.lastDay}
                onChange={({ target }) => {
                  const lastDay = parseDate(target.value);
                  if (lastDay) show({ lastDay: lastDay >= today ? undefined : lastDay });
                }}
              />
            )}
          </Field>
          <Button
            icon="forward"
            aria-label={t.later}
            disabled={isNow}
            onClick={() => show(moved(view, 1, today))}
          />
        </div>
      )}
      {view.tab === 'curves' && (
        <div className={styles.pair}>
          <Field label={t.points}>
            {(attributes) => (
              <select
                {...attributes}
                value={shown.bucket}
                onChange={({ target }) => show({ bucket: target.value as BucketName })}
              >
                {bucketsFor(range).map((bucket) => (
                  <option key={bucket} value={bucket}>
                    {t.bucketNames[bucket]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t.compare}>
            {(attributes) => (
              <select
                {...attributes}
                value={view.compare}
                onChange={({ target }) => show({ compare: Number(target.value) as Comparison })}
              >
                {COMPARISONS.map((days) => (
                  <option key={days} value={days}>
                    {t.comparisons[days]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      )}
    </div>
  );
}

interface SubjectSelectProps {
  readonly attributes: { readonly id: string; readonly className: string | undefined };
  readonly choices: readonly Choice[];
  readonly shown: Shown;
}

function SubjectSelect({ attributes, choices, shown: { subject, view } }: SubjectSelectProps) {
  const t = useText('history');
  const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind}/${id}`;
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) {
    const group = choice.kind === 'site' ? t.sites : (choice.group ?? t.recordings);
    groups.set(group, [...(groups.get(group) ?? []), choice]);
  }
  return (
    <select
      {...attributes}
      value={keyOf(subject)}
      onChange={({ target }) => {
        const chosen = choices.find((choice) => keyOf(choice) === target.value);
        if (chosen) goTo(placeOf(chosen, view));
      }}
    >
      {[...groups].map(([group, members]) => (
        <optgroup key={group} label={group}>
          {members.map((choice) => (
            <option key={choice.id} value={keyOf(choice)}>
              {choice.name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
