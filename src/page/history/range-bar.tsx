import { useState } from 'react';
import { grouped } from '../../catalogue/grouped.ts';
import { Button } from '../kit/button.tsx';
import { useIsWide } from '../kit/use-is-wide.ts';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import styles from './history.module.css';
import { CompareSelect, HistoryMenu } from './history-menu.tsx';
import type { Shown } from './shown.ts';
import type { Choice } from './subjects.ts';
import { LENGTHS, type Length, moved, placeOf, wholeDays } from './view.ts';

interface RangeBarProps {
  readonly choices: readonly Choice[];
  readonly shown: Shown;
  readonly today: string;
}

const PART = 'part';

/** Where and when, in one line: everything here stands in the address. What is needed seldom is in the menu. */
export function RangeBar({ choices, shown, today }: RangeBarProps) {
  const t = useText('history');
  const isWide = useIsWide();
  const [isOpen, setOpen] = useState(false);
  const { view, range, show } = shown;
  const isNow = view.lastDay === undefined && !view.span;
  return (
    <div className={styles.bar}>
      <SubjectSelect choices={choices} shown={shown} />
      {view.span ? (
        <Button icon="cross" aria-label={t.wholeDays} onClick={() => show(wholeDays(range, today))} />
      ) : (
        <Button icon="back" aria-label={t.earlier} onClick={() => show(moved(view, -1, today))} />
      )}
      <select
        className={`control-box ${styles.length}`}
        aria-label={t.range}
        value={view.span ? PART : view.length}
        onChange={({ target }) =>
          show({
            ...(view.span && wholeDays(range, today)),
            length: Number(target.value) as Length,
            bucket: undefined,
          })
        }
      >
        {view.span && (
          <option value={PART} disabled>
            {t.part}
          </option>
        )}
        {LENGTHS.map((length) => (
          <option key={length} value={length}>
            {t.lengths[length]}
          </option>
        ))}
      </select>
      {!view.span && (
        <Button
          icon="forward"
          aria-label={t.later}
          disabled={isNow}
          onClick={() => show(moved(view, 1, today))}
        />
      )}
      {isWide && <CompareSelect shown={shown} />}
      <Button icon="more" aria-label={t.menu} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {isOpen && <HistoryMenu {...{ shown, today }} onClose={() => setOpen(false)} />}
    </div>
  );
}

function SubjectSelect({ choices, shown: { subject, view } }: Pick<RangeBarProps, 'choices' | 'shown'>) {
  const t = useText('history');
  const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind}/${id}`;
  const groups = grouped(choices, ({ kind, deviceId }) =>
    kind === 'site' ? t.sites : deviceId ? t.tabs.places : t.recordings,
  );
  return (
    <select
      className={`control-box ${styles.where}`}
      aria-label={t.where}
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
