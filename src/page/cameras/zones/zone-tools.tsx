import type { MouseEvent } from 'react';
import { FEWEST_POINTS, MOST_POINTS } from '../../../catalogue/zones/polygon.ts';
import { MOST_TILLS } from '../../../catalogue/zones/tills.ts';
import { Button } from '../../kit/button.tsx';
import { useText } from '../../text/text.ts';
import { MOST_MASKS, type ShapeKind, tillsOf } from './shapes.ts';
import { activeOf } from './tap.ts';
import { TEMPLATES, type TemplateName } from './templates.ts';
import { freeNames, isDivisible } from './till-edits.ts';
import { divideEdit } from './till-list.tsx';
import styles from './zone-editor.module.css';
import type { Edit, Edits } from './zone-edits.ts';
import type { NameOf } from './zone-faults.tsx';

interface ZoneToolsProps {
  readonly edits: Edits;
  readonly send: (edit: Edit) => void;
  readonly kinds: readonly ShapeKind[];
  readonly nameOf: NameOf;
  /** Width of the picture ÷ its height. */
  readonly ratio: number;
  /** How many tills are to be drawn in a row. */
  readonly tills: number;
}

interface ZoneKindsProps extends Pick<ZoneToolsProps, 'edits' | 'send' | 'kinds'> {
  readonly wanted: number;
}

/** What to draw, and what to do next. Its height stays the same, so that the picture does not move under a finger. */
export function ZoneKinds({ edits, send, kinds, wanted }: ZoneKindsProps) {
  const t = useText('zones');
  const { shapes, pen } = edits;
  const active = shapes.find(({ key }) => key === activeOf(edits));
  const tills = tillsOf(shapes);
  const isFull: Partial<Record<ShapeKind, boolean>> = {
    mask: shapes.filter(({ kind }) => kind === 'mask').length >= MOST_MASKS,
    till: tills.length >= MOST_TILLS,
  };
  const draw = (kind: ShapeKind) => (event: MouseEvent) => {
    const [name] = kind === 'till' ? freeNames(tills, 1, t.tills.name) : [];
    // A click of the keyboard has no place: it gets a square, whose corners the arrow keys move.
    send({ type: event.detail === 0 ? 'square' : 'draw', kind, ...(name !== undefined && { name }) });
  };
  return (
    <div className={`stack ${styles.tools}`}>
      <fieldset className={styles.kinds} data-count={kinds.length}>
        <legend className="only-for-readers">{t.draw}</legend>
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            className={styles.kind}
            data-kind={kind}
            aria-pressed={(pen?.kind ?? active?.kind) === kind}
            disabled={isFull[kind] ?? false}
            onClick={draw(kind)}
          >
            <span
              className={`${styles.swatch} ${styles[kind]}`}
              data-drawn={shapes.some((shape) => shape.kind === kind) || undefined}
            />
            <span>
              <strong>{t.kinds[kind]}</strong>
              <small>{t.meanings[kind]}</small>
            </span>
          </button>
        ))}
      </fieldset>
      <p className={styles.hint} aria-live="polite">
        {hintOf(edits, t, wanted > 1 && tills.length < 2)}
      </p>
    </div>
  );
}

/** The buttons for what is drawn or selected, and templates where nothing is drawn. */
export function ZoneTools({ edits, send, kinds, nameOf, ratio, tills }: ZoneToolsProps) {
  const t = useText('zones');
  const { shapes, pen, selected } = edits;
  const active = shapes.find(({ key }) => key === activeOf(edits));
  const canClose = pen !== null && (active?.points.length ?? 0) >= FEWEST_POINTS;
  // Whoever wants a row of tills draws around all of them.
  const row = tills > 1 && tillsOf(shapes).length === 1 && isDivisible(active) ? active : null;
  const rowNames = { count: tills, ratio, nameOf: t.tills.name };
  return (
    <div className="row">
      {canClose && (
        <Button
          kind="main"
          icon="check"
          onClick={() => send(row ? divideEdit(row, edits, rowNames) : { type: 'close' })}
        >
          {row ? t.tills.divide(tills) : t.done}
        </Button>
      )}
      <Button
        icon="undo"
        aria-label={t.undo}
        disabled={edits.past.length === 0}
        onClick={() => send({ type: 'undo' })}
      />
      <Button
        icon="redo"
        aria-label={t.redo}
        disabled={edits.future.length === 0}
        onClick={() => send({ type: 'redo' })}
      />
      {active && selected?.point != null && (
        <Button
          icon="trash"
          disabled={pen === null && active.points.length <= FEWEST_POINTS}
          onClick={() => send({ type: 'remove' })}
        >
          {t.removePoint}
        </Button>
      )}
      {active && selected?.point == null && (
        <Button
          icon="trash"
          aria-label={t.removeShape(nameOf(active))}
          onClick={() => send({ type: 'removeShape', key: active.key })}
        >
          {t.remove}
        </Button>
      )}
      {shapes.length === 0 && kinds.includes('queueZone') && (
        <p className={`row ${styles.templates}`}>
          <span>{t.templates}</span>
          {(Object.keys(TEMPLATES) as TemplateName[]).map((name) => (
            <Button
              key={name}
              onClick={() =>
                send({
                  type: 'template',
                  name,
                  names: freeNames([], tills > 1 ? tills : 3, t.tills.name),
                  ratio,
                })
              }
            >
              {t.template[name]}
            </Button>
          ))}
        </p>
      )}
    </div>
  );
}

function hintOf(
  { pen, shapes, selected }: Edits,
  t: ReturnType<typeof useText<'zones'>>,
  wantsRow: boolean,
): string {
  const drawn = shapes.find(({ key }) => key === pen?.key)?.points.length ?? 0;
  if (pen?.kind === 'till' && wantsRow) return t.hints.row;
  if (pen && drawn === 0) return t.hints.first[pen.kind];
  if (pen && drawn >= MOST_POINTS) return t.hints.full;
  if (pen) return drawn < FEWEST_POINTS ? t.hints.next : t.hints.finish;
  if (selected?.point != null) return t.hints.point;
  if (selected) return t.hints.shape;
  return shapes.length > 0 ? t.hints.pick : t.hints.start;
}
