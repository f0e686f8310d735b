import { type MouseEvent, useId, useState } from 'react';
import { polygonFault } from '../../../catalogue/zones/polygon.ts';
import { MOST_TILL_NAME, MOST_TILLS } from '../../../catalogue/zones/tills.ts';
import { ApiFailure } from '../../api/client.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { useText } from '../../text/text.ts';
import { type DrawingFault, staffSideOf, type TillShape, tillsOf } from './shapes.ts';
import { activeOf } from './tap.ts';
import { freeNames, isDivisible } from './till-edits.ts';
import styles from './till-list.module.css';
import type { Edit, Edits } from './zone-edits.ts';
import { FaultList, useFaultText } from './zone-faults.tsx';

interface TillListProps {
  readonly edits: Edits;
  readonly send: (edit: Edit) => void;
  /** What is wrong with tills. */
  readonly faults: readonly DrawingFault[];
  /** Why the zones could not be saved; what it says about a till stands beside it. */
  readonly error: unknown;
  /** Width of the picture ÷ its height. */
  readonly ratio: number;
  /** How many tills somebody wants to draw. */
  readonly wanted: number;
}

/** The tills that are drawn: their names, where their staff stand, and what is wrong with them. */
export function TillList({ edits, send, faults, error, ratio, wanted }: TillListProps) {
  const t = useText('zones').tills;
  const tills = tillsOf(edits.shapes);
  if (tills.length === 0) return null;
  const hasQueue = edits.shapes.some(({ kind }) => kind === 'queueZone');
  const active = edits.shapes.find(({ key }) => key === activeOf(edits));
  return (
    <section className={`stack ${styles.tills}`} aria-label={t.title}>
      <h3>{t.title}</h3>
      <ol className="cards">
        {tills.map((shape, at) => (
          <TillRow
            key={shape.key}
            {...{ shape, edits, send, ratio, wanted }}
            isActive={active === shape || active?.of === shape.till.id}
            mayChooseQueue={hasQueue && tills.length > 1}
            faults={faults.filter((fault) => tillOf(fault) === shape.till.id)}
            said={saidOf(error, at)}
          />
        ))}
      </ol>
    </section>
  );
}

/** The id of the till that a fault is about; undefined of other shapes. */
export const tillOf = (fault: DrawingFault): string | undefined =>
  'shape' in fault ? (fault.shape.till?.id ?? fault.shape.of) : undefined;

/** What the API says about a till, by its place in the list. */
const saidOf = (error: unknown, at: number): readonly string[] =>
  error instanceof ApiFailure
    ? error.details
        .filter(({ path }) => new RegExp(`\\btills(\\[${at}\\]|\\.${at}\\b)`).test(path))
        .map(({ message }) => message)
    : [];

interface TillRowProps extends Pick<TillListProps, 'edits' | 'send' | 'ratio' | 'wanted' | 'faults'> {
  readonly shape: TillShape;
  readonly isActive: boolean;
  readonly mayChooseQueue: boolean;
  readonly said: readonly string[];
}

function TillRow({
  shape,
  edits,
  send,
  faults,
  ratio,
  wanted,
  isActive,
  mayChooseQueue,
  said,
}: TillRowProps) {
  const texts = useText('zones');
  const t = texts.tills;
  const id = useId();
  const faultText = useFaultText();
  const { key, till } = shape;
  const side = staffSideOf(edits.shapes, till.id);
  const drawSide = (event: MouseEvent) =>
    send({ type: event.detail === 0 ? 'square' : 'draw', kind: 'tillStaff', of: till.id });
  const sentences = [...faults.map(faultText), ...said];
  return (
    <li className="box" data-active={isActive || undefined}>
      <div className={`row ${styles.name}`}>
        <input
          className="control-box"
          aria-label={t.nameOf(till.name)}
          aria-invalid={sentences.length > 0 || undefined}
          aria-describedby={sentences.length > 0 ? id : undefined}
          maxLength={MOST_TILL_NAME}
          value={till.name}
          onFocus={() => send({ type: 'select', key, point: null })}
          onChange={({ target }) => send({ type: 'rename', key, name: target.value })}
        />
        <Button
          kind="quiet"
          icon="trash"
          aria-label={texts.removeShape(till.name)}
          onClick={() => send({ type: 'removeShape', key })}
        />
      </div>
      <div className={`row ${styles.more}`}>
        <Button
          icon={side ? 'edit' : 'plus'}
          data-kind="tillStaff"
          aria-label={side ? t.changeSide : t.addSide}
          onClick={drawSide}
        >
          {t.side}
        </Button>
        {mayChooseQueue && (
          <Checkbox
            label={t.isFed}
            isOn={till.isFed}
            onChange={(isFed) => send({ type: 'feed', key, isFed })}
          />
        )}
      </div>
      {isActive && edits.pen === null && <Divide {...{ shape, edits, send, ratio, wanted }} />}
      <FaultList id={id} sentences={sentences} isInRow />
    </li>
  );
}

/** Makes a row of tills of one that has four corners. */
function Divide({
  shape,
  edits,
  send,
  ratio,
  wanted,
}: Pick<TillRowProps, 'shape' | 'edits' | 'send' | 'ratio' | 'wanted'>) {
  const t = useText('zones').tills;
  const [chosen, setChosen] = useState<number | null>(null);
  const others = tillsOf(edits.shapes).length - 1;
  const most = MOST_TILLS - others;
  if (!isDivisible(shape) || polygonFault(shape.points) || most < 2) return null;
  const count = Math.min(chosen ?? Math.max(2, wanted - others), most);
  return (
    <div className={`row ${styles.divide}`}>
      <select
        className="control-box"
        aria-label={t.howMany}
        value={count}
        onChange={({ target }) => setChosen(Number(target.value))}
      >
        {Array.from({ length: most - 1 }, (_, at) => at + 2).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <Button onClick={() => send(divideEdit(shape, edits, { count, ratio, nameOf: t.name }))}>
        {t.divide(count)}
      </Button>
    </div>
  );
}

/** Divides a till into so many, with names that no other till has. */
export function divideEdit(
  { key }: TillShape,
  { shapes }: Edits,
  row: { readonly count: number; readonly ratio: number; readonly nameOf: (number: number) => string },
): Edit {
  const others = tillsOf(shapes).filter((till) => till.key !== key);
  return { type: 'divide', key, names: freeNames(others, row.count, row.nameOf), ratio: row.ratio };
}
