import type { PolygonFault } from '../../../catalogue/zones/polygon.ts';
import { Icon } from '../../kit/icon.tsx';
import { useText } from '../../text/text.ts';
import type { DrawingFault, Shape } from './shapes.ts';
import styles from './zone-editor.module.css';

/** Why the drawing cannot be saved, as soon as it is so. */
export function ZoneFaults({
  faults,
  nameOf,
}: {
  readonly faults: readonly DrawingFault[];
  readonly nameOf: (shape: Shape) => string;
}) {
  const t = useText('zones');
  const ofPolygon = (fault: PolygonFault): string =>
    fault.kind === 'samePoints' || fault.kind === 'crossing'
      ? t.fault[fault.kind](fault.first + 1, fault.second + 1)
      : t.fault[fault.kind];
  const sentences = faults.map((each): string => {
    if (each.kind === 'nothingCounts') return t.nothingCounts;
    if (each.kind === 'staffCovers') return t.staffCovers[each.zone];
    return `${nameOf(each.shape)} ${ofPolygon(each.fault)}`;
  });
  return (
    <div role="alert" className={styles.faults}>
      {sentences.map((sentence) => (
        <p key={sentence}>
          <Icon name="warning" size={20} />
          <span>{sentence}</span>
        </p>
      ))}
    </div>
  );
}
