import type { PolygonFault } from '../../../catalogue/zones/polygon.ts';
import { Icon } from '../../kit/icon.tsx';
import { useText } from '../../text/text.ts';
import { type DrawingFault, type Shape, tillsOf } from './shapes.ts';
import styles from './zone-editor.module.css';

/** Names a shape for people. */
export type NameOf = (shape: Shape) => string;

/** The name of each shape of a drawing. */
export function useNames(shapes: readonly Shape[]): NameOf {
  const t = useText('zones');
  const masks = shapes.filter(({ kind }) => kind === 'mask');
  return (shape) => {
    if (shape.till) return shape.till.name.trim() || t.kinds.till;
    const till = tillsOf(shapes).find((one) => one.till.id === shape.of);
    if (till) return t.tills.sideOf(till.till.name);
    return shape.kind === 'mask' && masks.length > 1
      ? t.maskNumber(masks.indexOf(shape) + 1)
      : t.kinds[shape.kind];
  };
}

/** Why a drawing cannot be saved, in words. @param nameOf of shapes; what stands beside a till needs no name */
export function useFaultText(nameOf?: NameOf): (fault: DrawingFault) => string {
  const t = useText('zones');
  const ofPolygon = (fault: PolygonFault): string =>
    fault.kind === 'samePoints' || fault.kind === 'crossing'
      ? t.fault[fault.kind](fault.first + 1, fault.second + 1)
      : t.fault[fault.kind];
  return (each) => {
    switch (each.kind) {
      case 'nothingCounts':
        return t.nothingCounts;
      case 'staffCovers':
        return t.staffCovers[each.zone];
      case 'overlaps':
        return t.tills.overlaps(each.shape.till.name, each.other.till.name);
      case 'shape':
        return `${nameOf?.(each.shape) ?? t.kinds[each.shape.kind]} ${ofPolygon(each.fault)}`;
      default:
        return t.tills[each.kind];
    }
  };
}

/** Why the drawing cannot be saved, as soon as it is so. */
export function ZoneFaults({
  faults,
  nameOf,
}: {
  readonly faults: readonly DrawingFault[];
  readonly nameOf: NameOf;
}) {
  return <FaultList sentences={faults.map(useFaultText(nameOf))} />;
}

interface FaultListProps {
  readonly id?: string;
  readonly sentences: readonly string[];
  /** Within a row, which has a ground of its own. */
  readonly isInRow?: boolean;
}

export const FaultList = ({ id, sentences, isInRow = false }: FaultListProps) => (
  <div id={id} role="alert" className={styles.faults}>
    {sentences.map((sentence) => (
      <p key={sentence} className={isInRow ? styles.inRow : 'notice'} data-tone="bad">
        <Icon name="warning" size={20} />
        <span>{sentence}</span>
      </p>
    ))}
  </div>
);
