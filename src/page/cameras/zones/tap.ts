import type { Point } from '../../../catalogue/zones/polygon.ts';
import type { Hit } from './hit.ts';
import type { Edit, Edits } from './zone-edits.ts';

/** Which shape has handles: the one that is being drawn, else the selected one. */
export const activeOf = ({ pen, selected }: Edits): number | null => pen?.key ?? selected?.key ?? null;

/** What a tap does, by what is under it. @param place where a point goes that is set here */
export function tapped(edits: Edits, hit: Hit, place: (key: number | null) => Point): readonly Edit[] {
  const { pen, selected } = edits;
  if (pen) {
    const isFirst = hit.kind === 'point' && hit.key === pen.key && hit.point === 0;
    const drawn = edits.shapes.find(({ key }) => key === pen.key)?.points.length ?? 0;
    if (isFirst && drawn > 2) return [{ type: 'close' }];
    // A second tap on the point just set comes from a trembling finger.
    return hit.kind === 'point' ? [] : [{ type: 'add', at: place(pen.key) }];
  }
  if (hit.kind === 'point') {
    const isSelected = selected?.key === hit.key && selected.point === hit.point;
    return [{ type: 'select', key: hit.key, point: isSelected ? null : hit.point }];
  }
  if (hit.kind === 'middle') return [{ type: 'insert', key: hit.key, edge: hit.edge, at: hit.at }];
  if (selected && selected.point !== null) {
    return [
      { type: 'moveSelected', at: place(selected.key) },
      { type: 'select', key: selected.key, point: null },
    ];
  }
  return hit.kind === 'shape' ? [{ type: 'select', key: hit.key, point: null }] : [{ type: 'deselect' }];
}
