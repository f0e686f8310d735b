import type { z } from 'zod';
import { storedZones } from '../../../vision/stored-config.ts';
import type { CheckRow, StillRow } from './check.store.ts';
import { outdatedBy } from './outdated.ts';
import { checkResult, type openedCheck, type sceneCheck, storedAnswers, storedPeople } from './schema.ts';
import { KEPT, READ } from './times/film.ts';
import { timesResult } from './times/times.schema.ts';

type CheckJson = z.input<typeof sceneCheck>;
type OpenedJson = z.input<typeof openedCheck>;

export const presentCheck = (row: CheckRow): CheckJson => ({
  id: row.id,
  sceneId: row.sceneId,
  kind: row.kind,
  status: row.status,
  endReason: row.endReason,
  wantedStills: row.wantedStills,
  takenStills: row._count.stills,
  missedMoments: row.missed,
  keepsWrongStills: row.keepsWrongStills,
  showsPeople: row.showsPeople,
  hasView: row.view !== null,
  startedAt: row.startedAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  collectedAt: row.collectedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
  checkedBy: row.checkedBy,
  outdated: outdatedBy({
    ...{ zones: row.zones, config: row.scene.config, warnings: row.scene.device.warnings },
    ...{ since: row.collectedAt ?? row.startedAt, movedAt: row.movedAt },
  }),
  result: row.kind === 'stills' ? checkResult.nullable().parse(row.result) : null,
  times: row.kind === 'times' ? timesResult.nullable().parse(row.result) : null,
  film: filmOf(row),
});

/** A piece of a recording is read when it is wanted, that of a camera is kept. */
const filmOf = ({ kind, filmSeconds, filmFrom, scene: { recording } }: CheckRow): CheckJson['film'] =>
  kind === 'times'
    ? {
        ...{ seconds: filmSeconds ?? 0, from: filmFrom ?? 0, recordingId: recording?.id ?? null },
        ...{ fps: recording ? READ.fps : KEPT.fps, pieceSeconds: KEPT.pieceSeconds },
      }
    : null;

/** A check with its stills. @param checker who asks */
export function presentOpenedCheck(
  row: CheckRow,
  { stills, marked }: { stills: readonly StillRow[]; marked: OpenedJson['marked'] },
  checker: string,
): OpenedJson {
  const isFinished = row.status === 'finished';
  return {
    ...presentCheck(row),
    zones: storedZones.parse(row.zones),
    marked,
    stills:
      row.status === 'collecting' ? [] : stills.map((still) => presentStill(still, { checker, isFinished })),
  };
}

function presentStill(
  row: StillRow,
  { checker, isFinished }: { checker: string; isFinished: boolean },
): OpenedJson['stills'][number] {
  const answers = storedAnswers.parse(row.answers);
  return {
    id: row.id,
    capturedAt: row.capturedAt.toISOString(),
    hasPicture: row.hasPicture,
    mine: answers[checker] ?? null,
    ours: isFinished
      ? {
          waiting: row.waiting,
          served: row.served,
          people: storedPeople.parse(row.people),
        }
      : null,
    answers: isFinished ? Object.values(answers) : [],
  };
}
