import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { edgesOf, type Point, polygonFault } from '../../../catalogue/zones/polygon.ts';
import { useText } from '../../text/text.ts';
import { centreOf } from './geometry.ts';
import { middlesOf } from './hit.ts';
import { type FeetOfHour, PastFeet, type Proposal } from './last-hour.tsx';
import { Loupe } from './loupe.tsx';
import { type Shape, tillsOf } from './shapes.ts';
import { activeOf } from './tap.ts';
import { HANDLE, usePointer } from './use-pointer.ts';
import { useSize } from './use-size.ts';
import styles from './zone-editor.module.css';
import type { Edit, Edits } from './zone-edits.ts';

/** How far an arrow key moves, in shares of the picture. */
const STEP = 0.01;
const SMALL_STEP = 0.001;
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Where an arrow key leads; null for another key. */
export function arrowOf({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): Point | null {
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const step = shiftKey ? SMALL_STEP : STEP;
  return [arrow[0] * step, arrow[1] * step];
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;

export interface ZoneCanvasProps {
  readonly picture: string | null;
  readonly edits: Edits;
  readonly send: (edit: Edit) => void;
  readonly feet: readonly Point[];
  /** Where people were in the last hour. */
  readonly past: FeetOfHour['points'];
  /** A better polygon for one of the zones. */
  readonly proposal: Proposal | null;
  readonly nameOf: (shape: Shape) => string;
}

/** The polygons over the picture, with handles for fingers, mouse and keyboard. */
export function ZoneCanvas({ picture, edits, send, feet, past, proposal, nameOf }: ZoneCanvasProps) {
  const t = useText('zones');
  const svg = useRef<SVGSVGElement>(null);
  const size = useSize(svg);
  const { loupe, handlers } = usePointer(edits, send, size);
  const active = activeOf(edits);
  const { width, height } = size;
  const onScreen = ([x, y]: Point): Point => [x * width, y * height];
  const path = (points: readonly Point[]) => points.map((point) => onScreen(point).join()).join(' ');
  useFocus(svg, edits);

  const shape = edits.shapes.find(({ key }) => key === active);
  const drawing = edits.shapes.map((one) => {
    const isOpen = edits.pen?.key === one.key;
    const Line = isOpen ? 'polyline' : 'polygon';
    return (
      <Line
        key={one.key}
        points={path(one.points)}
        className={`${styles.area} ${styles[one.kind]} ${one.key === active ? styles.active : ''}`}
        data-open={isOpen || undefined}
      />
    );
  });
  const isWrong = (one: Shape) => edits.pen?.key !== one.key && polygonFault(one.points);
  return (
    <svg
      ref={svg}
      className={styles.canvas}
      viewBox={`0 0 ${width || 1} ${height || 1}`}
      role="application"
      aria-label={t.editor}
      data-drawing={edits.pen ? true : undefined}
      {...handlers}
    >
      {drawing}
      {edits.shapes.map((one) => {
        const fault = isWrong(one);
        return fault && 'first' in fault
          ? [fault.first, fault.second].map((edge) => {
              const ends = edgesOf(one.points)[edge];
              return (
                ends && <polyline key={`${one.key}-${edge}`} points={path(ends)} className={styles.wrong} />
              );
            })
          : null;
      })}
      <g aria-hidden>
        {tillsOf(edits.shapes).map(({ key, points, till }) => {
          const [x, y] = onScreen(centreOf(points));
          return (
            <text key={key} x={x} y={y} className={styles.tillName}>
              {shortened(till.name, width * (right(points) - left(points)))}
            </text>
          );
        })}
      </g>
      {proposal && (
        <polygon points={path(proposal.points)} className={`${styles.proposed} ${styles[proposal.zone]}`} />
      )}
      <PastFeet points={past} width={width} onScreen={onScreen} />
      {feet.map((foot) => {
        const [x, y] = onScreen(foot);
        return <circle key={`${x}-${y}`} cx={x} cy={y} r={6} className={styles.foot} />;
      })}
      {edits.shapes.map((one) => (
        <g key={one.key}>
          {edits.pen?.key !== one.key && (
            <Body shape={one} name={nameOf(one)} points={path(one.points)} edits={edits} send={send} />
          )}
          {one.key === active &&
            one.points.map((point, at) => (
              <Handle
                // biome-ignore lint/suspicious/noArrayIndexKey: a point is named by its place in the polygon
                key={at}
                at={onScreen(point)}
                label={t.pointLabel(at + 1, one.points.length, percent(point[0]), percent(point[1]))}
                shape={one}
                point={at}
                edits={edits}
                send={send}
              />
            ))}
        </g>
      ))}
      {shape &&
        edits.pen === null &&
        middlesOf(shape.points, { x: HANDLE / (width || 1), y: HANDLE / (height || 1) }).map(
          ({ edge, at }) => {
            const [x, y] = onScreen(at);
            return <circle key={edge} cx={x} cy={y} r={5} className={styles.middle} />;
          },
        )}
      {loupe && <Loupe picture={picture} at={onScreen(loupe)} size={size} drawing={drawing} />}
    </svg>
  );
}

/** Gives the focus of the keyboard to the point that is selected after one was added or removed. */
function useFocus(svg: React.RefObject<SVGSVGElement | null>, { selected, shapes }: Edits): void {
  const count = shapes.find(({ key }) => key === selected?.key)?.points.length ?? 0;
  const key = selected?.key;
  const point = selected?.point;
  // At once: an effect that runs after the next selection would select the former one again, and both would never end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the number of points too
  useLayoutEffect(() => {
    const inside = document.activeElement;
    // From the button that draws a square, or from the point that was removed.
    const isHere =
      inside === document.body || svg.current?.contains(inside) || inside?.matches('[data-kind]');
    if (point == null || !isHere) return;
    svg.current?.querySelector<SVGElement>(`[data-handle="${key}-${point}"]`)?.focus();
  }, [svg, key, point, count]);
}

/** Width of a letter of a name, CSS pixels, as the style of names says. */
const LETTER = 7.5;

/** As much of a name as fits into a till; the list below has all of it. */
function shortened(name: string, room: number): string {
  const most = Math.max(1, Math.floor(room / LETTER));
  return name.length <= most ? name : `${name.slice(0, Math.max(1, most - 1))}…`;
}

const left = (points: readonly Point[]) => Math.min(...points.map(([x]) => x));
const right = (points: readonly Point[]) => Math.max(...points.map(([x]) => x));

/** Preact writes names of attributes as they are, and a drawing knows only the one in small letters. */
const FOCUSABLE = { tabIndex: 0, tabindex: 0 };

interface PartProps {
  readonly shape: Shape;
  readonly edits: Edits;
  readonly send: (edit: Edit) => void;
}

/** A whole shape for the keyboard: Enter edits it, arrows move it, Delete removes it. */
function Body({ shape, name, points, send }: PartProps & { readonly name: string; readonly points: string }) {
  const t = useText('zones');
  const onKeyDown = (event: KeyboardEvent) => {
    const by = arrowOf(event);
    const { key } = shape;
    if (by) send({ type: 'moveShape', key, by });
    else if (event.key === 'Enter' || event.key === ' ') send({ type: 'select', key, point: 0 });
    else if (event.key === 'Delete' || event.key === 'Backspace') send({ type: 'removeShape', key });
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: HTML buttons cannot stand in a drawing
    <polygon
      points={points}
      className={styles.body}
      role="button"
      {...FOCUSABLE}
      aria-label={t.shapeLabel(name, shape.points.length)}
      onKeyDown={onKeyDown}
    />
  );
}

interface HandleProps extends PartProps {
  readonly at: Point;
  readonly label: string;
  readonly point: number;
}

function Handle({ shape, at: [x, y], label, point, edits, send }: HandleProps) {
  const { key } = shape;
  const isSelected = edits.selected?.key === key && edits.selected.point === point;
  const isOpen = edits.pen?.key === key;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = arrowOf(event);
    const [left, top] = shape.points[point]!;
    if (by) send({ type: 'movePoint', key, point, to: [left + by[0], top + by[1]] });
    else if (event.key === 'Enter') {
      const [from, to] = edgesOf(shape.points)[point]!;
      send({ type: 'insert', key, edge: point, at: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] });
    } else if (event.key === 'Delete' || event.key === 'Backspace') send({ type: 'removePoint', key, point });
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: HTML buttons cannot stand in a drawing
    <g
      role="button"
      {...FOCUSABLE}
      aria-label={label}
      aria-pressed={isSelected}
      className={`${styles.handle} ${styles[shape.kind]}`}
      data-handle={`${key}-${point}`}
      data-first={(isOpen && point === 0 && shape.points.length > 2) || undefined}
      onFocus={() => isOpen || send({ type: 'select', key, point })}
      onKeyDown={onKeyDown}
    >
      <circle cx={x} cy={y} r={HANDLE} className={styles.reach} />
      <circle cx={x} cy={y} r={isSelected ? 10 : 7} className={styles.dot} />
    </g>
  );
}
