import { type KeyboardEvent, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { Area, type Point } from '../../../catalogue/zones/polygon.ts';
import { Icon } from '../../kit/icon.tsx';
import { useText } from '../../text/text.ts';
import { type FeetOfHour, LastHour, openProposal, ProposalNotice } from './last-hour.tsx';
import { PointTable } from './point-table.tsx';
import {
  type DrawingFault,
  drawingFaults,
  drawingOf,
  isQueueAround,
  type Polygon,
  type Shape,
  type ShapeKind,
  shapesOf,
  type Zones,
} from './shapes.ts';
import { activeOf } from './tap.ts';
import { TillList, tillOf } from './till-list.tsx';
import { ZoneCanvas } from './zone-canvas.tsx';
import styles from './zone-editor.module.css';
import { type Edits, edited, startEdits } from './zone-edits.ts';
import { useNames, ZoneFaults } from './zone-faults.tsx';
import { ZoneKinds, ZoneTools } from './zone-tools.tsx';

/** What was drawn, in the form of the API. */
export interface ZoneChange {
  readonly zones: Zones;
  readonly privacyMask: readonly Polygon[];
  /** Whether the API accepts it. */
  readonly isSound: boolean;
}

export interface ZoneEditorProps {
  /** Address of a still of the camera; null while there is none. */
  readonly picture: string | null;
  /** Zones and masks at the start; later changes of these properties change nothing. */
  readonly zones?: Zones;
  readonly privacyMask?: readonly Polygon[];
  /** What can be drawn. */
  readonly kinds: readonly ShapeKind[];
  /** How many tills are to be drawn in a row. */
  readonly tills?: number;
  /** Why the zones could not be saved. */
  readonly error?: unknown;
  /** Where people stand now, to see who would count. */
  readonly feet?: readonly Point[];
  /** Where they were in the last hour, and a better zone. */
  readonly hour?: FeetOfHour | null;
  /** Called after each finished change. Give a function that stays the same. */
  readonly onChange: (change: ZoneChange) => void;
}

/** Height in pixels of what stands above and below the picture, so that a wide screen shows it whole. */
const AROUND = 360;

/** Whoever opens the editor for the first time begins with the queue by the first tap. */
function begin({ zones = {}, privacyMask = [], kinds }: Omit<ZoneEditorProps, 'onChange'>): Edits {
  const edits = startEdits(shapesOf({ zones, privacyMask }));
  const first = kinds[0];
  return edits.shapes.length === 0 && first ? edited(edits, { type: 'draw', kind: first }) : edits;
}

/** Draws the zones and masks of a camera by touch, mouse or keyboard. */
export function ZoneEditor(props: ZoneEditorProps) {
  const { picture, zones = {}, kinds, tills = 1, error, feet = [], hour = null, onChange } = props;
  const t = useText('zones');
  const [edits, send] = useReducer(edited, props, begin);
  const [ratio, setRatio] = useState(16 / 9);
  const [showsHour, setShowsHour] = useState(true);
  const { shapes, held } = edits;
  const faults = drawingFaults(shapes, kinds.includes('queueZone'));
  useChange(shapes, held !== null, { isSound: faults.length === 0, onChange });

  const nameOf = useNames(shapes);
  const shown = shownFaults(faults, edits);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return;
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
    if (event.key === 'Escape') send({ type: 'cancel' });
    else if (isUndo) send({ type: event.shiftKey ? 'redo' : 'undo' });
    else if (event.key === 'y' && event.ctrlKey) send({ type: 'redo' });
    else return;
    // An editor in a dialog: the dialog stays open.
    event.preventDefault();
    event.stopPropagation();
  };
  const active = shapes.find(({ key }) => key === activeOf(edits));
  const proposal = openProposal(hour?.proposal, shapes, zones);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and Ctrl+Z of everything inside
    <div className={`stack ${styles.editor}`} onKeyDown={onKeyDown}>
      <ZoneKinds edits={edits} send={send} kinds={kinds} wanted={tills} />
      <div className={styles.stage} style={{ maxWidth: `calc((100dvh - ${AROUND}px) * ${ratio})` }}>
        {picture === null ? (
          <div className={`no-picture ${styles.blank}`}>
            <p>{t.noPicture}</p>
          </div>
        ) : (
          <img
            src={picture}
            alt={t.picture}
            className={styles.picture}
            draggable={false}
            decoding="sync"
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              naturalHeight > 0 && setRatio(naturalWidth / naturalHeight)
            }
          />
        )}
        <ZoneCanvas
          picture={picture}
          edits={edits}
          send={send}
          feet={feet}
          past={showsHour && hour ? hour.points : []}
          proposal={proposal}
          nameOf={nameOf}
        />
      </div>
      {proposal && hour && (
        <ProposalNotice
          sceneId={hour.sceneId}
          proposal={proposal}
          onTake={() => send({ type: 'replace', kind: proposal.zone, points: proposal.points })}
        />
      )}
      <ZoneTools {...{ edits, send, kinds, nameOf, ratio, tills }} />
      <TillList
        {...{ edits, send, error, ratio }}
        wanted={tills}
        faults={shown.filter((fault) => tillOf(fault) !== undefined)}
      />
      {hour && hour.points.length > 0 && <LastHour hour={hour} isShown={showsHour} onShow={setShowsHour} />}
      {feet.length > 0 && <Standing shapes={shapes} feet={feet} />}
      <ZoneFaults faults={shown.filter((fault) => tillOf(fault) === undefined)} nameOf={nameOf} />
      {edits.pen === null && isQueueAround(shapes) && <AroundNotice />}
      <PointTable shape={active} name={active ? nameOf(active) : ''} edits={edits} send={send} />
    </div>
  );
}

/** A shape that is being drawn has too few points at first, and what has not begun is no mistake. */
function shownFaults(faults: readonly DrawingFault[], { pen, past }: Edits): readonly DrawingFault[] {
  return faults.filter((each) => {
    if (each.kind === 'nothingCounts') return past.length > 0 && pen === null;
    return each.kind !== 'shape' || each.shape.key !== pen?.key || each.fault.kind === 'crossing';
  });
}

/** The drawing can be saved, but counts wrongly. */
function AroundNotice() {
  const t = useText('zones').around;
  return (
    <div className="notice" data-tone="warn" role="status">
      <Icon name="warning" size={20} />
      <p>
        <strong>{t.title}</strong> {t.advice}
      </p>
    </div>
  );
}

/** How many of the people in view would count where. */
function Standing({ shapes, feet }: { readonly shapes: readonly Shape[]; readonly feet: readonly Point[] }) {
  const t = useText('zones');
  const countIn = (...kinds: readonly ShapeKind[]) => {
    const areas = shapes.filter(({ kind }) => kinds.includes(kind)).map(({ points }) => new Area(points));
    return feet.filter((foot) => areas.some((area) => area.contains(foot))).length;
  };
  return (
    <p className={styles.standing}>
      {t.standing(countIn('queueZone'), countIn('checkoutZone', 'till'))} · {t.hints.feet}
    </p>
  );
}

/** Tells the caller about each finished change, and about how it begins. */
function useChange(
  shapes: readonly Shape[],
  isHeld: boolean,
  { isSound, onChange }: { readonly isSound: boolean; readonly onChange: (change: ZoneChange) => void },
): void {
  const told = useRef<readonly Shape[] | null>(null);
  // At once: whoever loads the page again right after a point loses nothing.
  useLayoutEffect(() => {
    if (isHeld || told.current === shapes) return;
    told.current = shapes;
    onChange({ ...drawingOf(shapes), isSound });
  }, [shapes, isHeld, isSound, onChange]);
}
