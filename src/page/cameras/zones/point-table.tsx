import { useState } from 'react';
import { FEWEST_POINTS, MOST_POINTS, type Point } from '../../../catalogue/zones/polygon.ts';
import { Button } from '../../kit/button.tsx';
import { useText } from '../../text/text.ts';
import { edgesOf, middleOf } from './geometry.ts';
import { readPercent, writePercent } from './percent.ts';
import type { Shape } from './shapes.ts';
import styles from './zone-editor.module.css';
import type { Edit, Edits } from './zone-edits.ts';

interface PointTableProps {
  readonly shape: Shape | undefined;
  readonly name: string;
  readonly edits: Edits;
  readonly send: (edit: Edit) => void;
}

/** The corners of the active shape as numbers, for whoever cannot drag or wants to be exact. */
export function PointTable({ shape, name, edits, send }: PointTableProps) {
  const t = useText('zones');
  if (!shape) return null;
  const { key, points } = shape;
  const isOpen = edits.pen?.key === key;
  const last = edgesOf(points).at(-1);
  return (
    <details className={styles.numbers}>
      <summary>{`${t.table}: ${name}`}</summary>
      <p>{t.tableText}</p>
      <p>{t.keys}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.corner}</th>
            <th scope="col">{t.fromLeft}</th>
            <th scope="col">{t.fromTop}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {points.map((point, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a point is named by its place in the polygon
            <tr key={at}>
              <th scope="row">{at + 1}</th>
              {([0, 1] as const).map((axis) => (
                <td key={axis}>
                  <PercentInput
                    label={`${t.corner} ${at + 1}: ${axis === 0 ? t.fromLeft : t.fromTop}`}
                    share={point[axis]}
                    onShare={(share) => {
                      const to: Point = axis === 0 ? [share, point[1]] : [point[0], share];
                      send({ type: 'movePoint', key, point: at, to });
                    }}
                  />
                </td>
              ))}
              <td>
                <Button
                  kind="quiet"
                  icon="trash"
                  aria-label={`${t.removePoint} ${at + 1}`}
                  disabled={!isOpen && points.length <= FEWEST_POINTS}
                  onClick={() => send({ type: 'removePoint', key, point: at })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {last && (
        <Button
          icon="plus"
          disabled={points.length >= MOST_POINTS}
          onClick={() => send({ type: 'insert', key, edge: points.length - 1, at: middleOf(...last) })}
        >
          {t.addPoint}
        </Button>
      )}
    </details>
  );
}

interface PercentInputProps {
  readonly label: string;
  readonly share: number;
  readonly onShare: (share: number) => void;
}

/** A share as percent. What is typed counts as soon as it is a number; anything else stays with a note. */
function PercentInput({ label, share, onShare }: PercentInputProps) {
  const t = useText('zones');
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && readPercent(typed) === null;
  return (
    <>
      <input
        type="text"
        inputMode="decimal"
        className={`control-box ${styles.number}`}
        aria-label={label}
        aria-invalid={isWrong || undefined}
        value={typed ?? writePercent(share)}
        onChange={({ target }) => {
          setTyped(target.value);
          const read = readPercent(target.value);
          if (read !== null) onShare(read);
        }}
        onBlur={() => !isWrong && setTyped(null)}
      />
      {isWrong && (
        <span role="alert" className="fault">
          {t.notANumber}
        </span>
      )}
    </>
  );
}
