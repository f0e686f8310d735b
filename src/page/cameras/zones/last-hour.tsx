import type { Point } from '../../../catalogue/zones/polygon.ts';
import { api, type Resource } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { Age } from '../../kit/age.tsx';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { Icon } from '../../kit/icon.tsx';
import { percent } from '../../kit/numbers.ts';
import { FormFailure } from '../../kit/states.tsx';
import { localeNow, useText } from '../../text/text.ts';
import type { Shape, Zones } from './shapes.ts';
import { fromPolygon } from './to-body.ts';
import styles from './zone-editor.module.css';

/** Where the feet of people were in the last hour, as the API has it. */
export type FeetOfHour = Resource<'SceneFeet'>;
type Foot = FeetOfHour['points'][number];
type ProposalBody = NonNullable<FeetOfHour['proposal']>;

/** A better polygon for a zone. */
export interface Proposal extends ProposalBody {
  readonly points: readonly Point[];
}

const KINDS = ['seen', 'estimated', 'unknown'] as const;

/** Pixels; marks of a small picture are smaller, so that they do not hide it. */
const RADIUS = 4;
const LEAST_RADIUS = 2.2;
const radiusIn = (width: number): number => Math.min(RADIUS, Math.max(LEAST_RADIUS, width / 160));

/** A mark for each kind, told apart without colours: a full dot, a ring, and a bar where a body ends. */
function Mark({
  kind,
  x,
  y,
  r,
}: {
  readonly kind: Foot['feet'];
  readonly x: number;
  readonly y: number;
  readonly r: number;
}) {
  const className = `${styles.past} ${styles[kind]}`;
  return kind === 'unknown' ? (
    <path d={`M${x - r - 1} ${y}h${2 * r + 2}`} className={className} />
  ) : (
    <circle cx={x} cy={y} r={r} className={className} />
  );
}

interface PastFeetProps {
  readonly points: readonly Foot[];
  /** Of the drawing, in pixels. */
  readonly width: number;
  readonly onScreen: (point: Point) => Point;
}

/** The marks of the last hour in the drawing. */
export function PastFeet({ points, width, onScreen }: PastFeetProps) {
  return (
    <g aria-hidden>
      {points.map((foot, at) => {
        const [x, y] = onScreen([foot.x, foot.y]);
        // biome-ignore lint/suspicious/noArrayIndexKey: the points have no names
        return <Mark key={at} kind={foot.feet} x={x} y={y} r={radiusIn(width)} />;
      })}
    </g>
  );
}

interface LastHourProps {
  readonly hour: FeetOfHour;
  readonly isShown: boolean;
  readonly onShow: (isShown: boolean) => void;
}

/** What the marks mean, and what is not known. */
export function LastHour({ hour, isShown, onShow }: LastHourProps) {
  const t = useText('zones').hour;
  const { points, until, feet } = hour;
  return (
    <div className={`stack ${styles.hour}`}>
      <Checkbox label={t.show} isOn={isShown} onChange={onShow} />
      {isShown && (
        <ul className={`legend ${styles.legend}`}>
          {KINDS.filter((kind) => points.some((point) => point.feet === kind)).map((kind) => (
            <li key={kind}>
              <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden>
                <Mark kind={kind} x={8} y={8} r={RADIUS} />
              </svg>
              {t.kinds[kind]}
            </li>
          ))}
          <li>
            {t.until} <Age since={until} />
          </li>
        </ul>
      )}
      {feet === 'unknown' && (
        <p className="notice" data-tone="info">
          <Icon name="info" size={20} />
          <span>{t.unknownFeet}</span>
        </p>
      )}
    </div>
  );
}

/** The proposal as long as its zone is as the service knows it; null otherwise. */
export function openProposal(
  proposal: ProposalBody | null | undefined,
  shapes: readonly Shape[],
  stored: Zones,
): Proposal | null {
  if (!proposal) return null;
  const drawn = shapes.find(({ kind }) => kind === proposal.zone)?.points;
  const known = stored[proposal.zone]?.points;
  const isSame =
    drawn !== undefined &&
    drawn.length === known?.length &&
    drawn.every(([x, y], at) => x === known[at]?.[0] && y === known[at]?.[1]);
  return isSame ? { ...proposal, points: fromPolygon(proposal.polygon).points } : null;
}

/** Says that people are cut off beside a zone, and takes the better one with one tap, or leaves it for good. */
export function ProposalNotice({
  sceneId,
  proposal,
  onTake,
}: {
  readonly sceneId: string;
  readonly proposal: Proposal;
  readonly onTake: () => void;
}) {
  const t = useText('zones');
  const { zone, polygon } = proposal;
  const leave = useAction(
    () =>
      api.PUT('/scenes/{id}/left-proposal', { params: { path: { id: sceneId } }, body: { zone, polygon } }),
    { changes: [['feet', sceneId]] },
  );
  const name = t.kinds[proposal.zone];
  return (
    <div className="notice" data-tone="warn" role="status">
      <Icon name="warning" size={20} />
      <div className="stack">
        <p>
          <strong>{t.hour.beside(name, percent(proposal.share, localeNow()))}</strong> {t.hour.besideText}
        </p>
        <p className="row">
          <Button kind="main" icon="check" onClick={onTake}>
            {t.hour.take}
          </Button>
          <Button isBusy={leave.isPending} onClick={() => leave.mutate(undefined)}>
            {t.hour.leave}
          </Button>
        </p>
        <FormFailure error={leave.error} />
      </div>
    </div>
  );
}
